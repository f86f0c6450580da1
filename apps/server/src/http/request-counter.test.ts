import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { endpointUrl } from "./endpoints.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const urls = [
  ...new Set(Object.values<Endpoint>(api).flatMap(({ versions, path }) => versions.map((version) => endpointUrl(version, path)))),
];
const verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** What `/metrics` has: one line for each series. */
const series = async () =>
  (await server.call({ method: "GET", url: "/metrics" })).text
    .split("\n")
    .filter((line) => line.startsWith("busbar_http_request_seconds_count"));

test("A-63 requests are counted with how long they took, in seconds: one after the other they took no longer than all of them", async () => {
  const beganAt = performance.now();
  const figure = async (name: string) => {
    const { text } = await server.call({ method: "GET", url: "/metrics" });
    return Number(new RegExp(`^busbar_http_request_seconds_${name}\\{.*route="/api/account".*\\} (.*)$`, "m").exec(text)?.[1] ?? 0);
  };
  for (let count = 0; count < 20; count++) await server.call({ method: "GET", url: "/api/account" });
  expect(await figure("count")).toBe(20);
  expect(await figure("sum")).toBeGreaterThan(0);
  expect(await figure("sum")).toBeLessThan((performance.now() - beganAt) / 1_000);
});

test("A-46 methods and addresses that are made up add one series to the metrics, however many they are", async () => {
  const before = await series();
  for (const url of urls) for (const method of verbs) await server.call({ method, url: url.replaceAll(/:\w+/g, () => randomUUID()) });
  const after = await series();
  const ofOther = after.filter((line) => /method="(?:other|PUT|HEAD|OPTIONS)"/.test(line));
  expect(ofOther).toHaveLength(1);
  expect(ofOther[0]).toMatch(/method="other",route="other",status="405"/);
  for (let index = 0; index < 200; index++) {
    for (const url of [`/api/${randomUUID()}`, `/api/v2/${randomUUID()}/x`, `/${randomUUID()}`]) {
      await server.call({ method: verbs[index % verbs.length]!, url });
    }
  }
  expect(await series()).toHaveLength(after.length);
  expect(after.length).toBeGreaterThan(before.length);
});
