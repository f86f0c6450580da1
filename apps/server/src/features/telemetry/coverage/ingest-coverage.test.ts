import type { Coverage, NodeCoverage } from "@busbar/contract/telemetry/coverage.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createTestIngest, scalarMetrics, startTestNode, type TestIngest } from "#testing/test-ingest.ts";
import { addPlace } from "#testing/test-world.ts";

let server: TestApp;
let ingest: TestIngest;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  ingest = await createTestIngest({}, server.database);
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(async () => {
  await ingest.stop();
  await server.stop();
});

const get = async <T>(path: string) => (await server.call({ method: "GET", url: `/api${path}`, token })).json["data"] as T;
const quarter = 900;
const hour = 3_600;

test("what a node sends over MQTT is what its coverage shows: whole quarters, backfilled ones, and the gap between them", async () => {
  const serial = 30_101;
  await ingest.addNode(serial, await addPlace(server.database.pool, "UTC"), { scalar_interval_seconds: 60 });
  const node = await startTestNode(ingest, serial);
  await node.birth();
  // Of the day before yesterday, which is over; older than any day in which it sent before.
  const day = Math.floor(Date.now() / 86_400_000 - 2) * 86_400;
  const send = (from: number, to: number) =>
    node.data(
      Array.from({ length: (to - from) / 60 }, (_, minute) => (from + minute * 60) * 1_000).flatMap((atMs) =>
        scalarMetrics(atMs, 460, { isHistorical: true }),
      ),
    );
  await send(day - quarter, day + hour);
  for (let from = day + 2 * hour; from < day + 24 * hour; from += hour) await send(from, from + hour);
  const name = new Date(day * 1_000).toISOString().slice(0, 10);
  const query = `kind=scalars&from=${name}&to=${name}`;
  // What is acknowledged is committed, and the coverage with it.
  const { nodes } = await get<Coverage>(`/coverage?${query}`);
  expect(nodes).toMatchObject([{ serialNumber: String(serial), missing: 4 }]);
  const { spans } = await get<NodeCoverage>(`/nodes/${serial}/coverage?${query}`);
  expect(spans.map(({ status, fromTimestamp, toTimestamp }) => [status, fromTimestamp - day, toTimestamp - day])).toEqual([
    ["backfilled", 0, hour],
    ["missing", hour, 2 * hour],
    ["backfilled", 2 * hour, 24 * hour],
  ]);
});
