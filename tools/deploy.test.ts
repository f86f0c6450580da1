import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { api } from "../packages/contract/src/api.ts";
import type { Endpoint } from "../packages/contract/src/endpoint.ts";

test("the example proxy lets every body through that the server takes", () => {
  const nginx = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const limit = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024;
  const largest = Math.max(
    ...Object.values<Endpoint>(api).map(({ takesBytes = 0, maxBodyBytes = 0 }) => Math.max(takesBytes, maxBodyBytes)),
  );
  expect(limit).toBeGreaterThanOrEqual(largest);
});
