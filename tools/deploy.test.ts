import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { api } from "../packages/contract/src/api.ts";
import type { Endpoint } from "../packages/contract/src/endpoint.ts";
import { findFault, whyNoExampleProxy, writeExampleProxy } from "../bench/lib/example-proxy.ts";
import { freePort } from "../apps/server/src/testing/free-port.ts";

test("the example proxy lets every body through that the server takes", () => {
  const nginx = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const limit = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024;
  const largest = Math.max(
    ...Object.values<Endpoint>(api).map(({ takesBytes = 0, maxBodyBytes = 0 }) => Math.max(takesBytes, maxBodyBytes)),
  );
  expect(limit).toBeGreaterThanOrEqual(largest);
});

test("A-40 the example proxy informs the broker for whom it connects, and the example compose file lets it be believed", () => {
  const nginx = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const streams = nginx.slice(nginx.indexOf("\nstream {")).split("server {").slice(1);
  expect(streams.length).toBeGreaterThan(0);
  for (const server of streams) expect(server).toMatch(/^\s*proxy_protocol on;$/m);
  expect(readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8")).toMatch(/^\s*TRUSTED_PROXIES: uniquelocal$/m);
});

const missing = whyNoExampleProxy();
test.skipIf(missing !== undefined)(`A-40 nginx takes the example configuration${missing ? ` (left out: ${missing})` : ""}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "busbar-nginx-"));
  try {
    const path = writeExampleProxy(folder, {
      http: await freePort(),
      https: await freePort(),
      mqtts: await freePort(),
      api: 8080,
      mqtt: 1883,
    });
    expect(findFault(path)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
