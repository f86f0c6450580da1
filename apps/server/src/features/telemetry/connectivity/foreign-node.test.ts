import { createRequire } from "node:module";
import type { EventEmitter } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { createTestIngest, testSecret, type TestIngest } from "#testing/test-ingest.ts";

interface ForeignNode extends EventEmitter {
  publishNodeBirth(payload: object, options?: object): void;
  publishNodeData(payload: object, options?: object): void;
  stop(): void;
}
// An edge node by someone else. It is known for a will with QoS 0, a bdSeq that never moves and a command subscription with a wildcard.
const { newClient } = createRequire(import.meta.url)("sparkplug-client") as { newClient: (config: object) => ForeignNode };

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
  await ingest.addNode(10_234);
});
afterAll(() => ingest.stop());

test("another vendor's edge node is born, stored, asked for a rebirth and dies", async () => {
  const node = newClient({
    serverUrl: ingest.mqttUrl,
    username: "10234",
    password: testSecret,
    groupId: "n58",
    edgeNode: "10234",
    clientId: "10234",
    version: "spBv1.0",
  });
  const commands: unknown[] = [];
  const metrics = (value: number) => [{ name: metricNames.lineFrequency, type: "Float", value, timestamp: Date.now() }];
  let births = 0;
  node.on("error", () => undefined);
  node.on("birth", () => {
    births++;
    node.publishNodeBirth({ timestamp: Date.now(), metrics: metrics(0) });
  });
  node.on("ncmd", (payload: { metrics: { name: string; value: unknown }[] }) => {
    commands.push(payload.metrics.map(({ name, value }) => [name, value]));
    node.publishNodeBirth({ timestamp: Date.now(), metrics: metrics(0) });
  });
  const connected = async () =>
    (await ingest.rows<{ is_connected: boolean }>("select is_connected from node_live where serial_number = 10234"))[0]!.is_connected;
  await expect.poll(connected).toBe(true);

  node.publishNodeData({ timestamp: Date.now(), metrics: metrics(60.25) });
  await expect
    .poll(() => ingest.rows("select line_frequency from scalar where serial_number = 10234"))
    .toEqual([{ line_frequency: 60.25 }]);

  // Compressed, as this maker's client does it.
  const now = Date.now();
  for (const [index, algorithm] of [undefined, "DEFLATE", "GZIP"].entries()) {
    const reading = { name: metricNames.lineFrequency, type: "Float", value: 61 + index, timestamp: now + index };
    node.publishNodeData({ timestamp: now, metrics: [reading] }, { compress: true, algorithm });
  }
  await expect
    .poll(() => ingest.rows("select line_frequency from scalar where serial_number = 10234 order by ts"))
    .toEqual([60.25, 61, 62, 63].map((value) => ({ line_frequency: value })));

  // An alias that was never born makes the host ask.
  node.publishNodeData({ timestamp: Date.now(), metrics: [{ alias: 77, type: "Float", value: 1 }] });
  await expect.poll(() => commands).toEqual([[["Node Control/Rebirth", true]]]);
  expect(births).toBe(1);

  // It disconnects without a death: the broker's word counts.
  node.stop();
  await expect.poll(connected).toBe(false);
});
