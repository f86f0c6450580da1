import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { birthMetrics, createTestIngest, startTestNode, type TestIngest } from "#testing/test-ingest.ts";

let ingest: TestIngest;
let clock: ManualClock;
beforeAll(async () => {
  clock = createManualClock(Date.now());
  ingest = await createTestIngest({ clock });
});
afterAll(() => ingest.stop());

test("a sub node whose death was lost is disconnected when its node is born again without it; the others stay", async () => {
  await ingest.addNode(10_300);
  for (const sub of [10_301, 10_302]) await ingest.addNode(sub, undefined, { type: "subNode", parent_serial_number: 10_300 });
  const node = await startTestNode(ingest, 10_300);
  const metricsOf = (sub: number) => birthMetrics().map((metric) => ({ ...metric, alias: metric.alias! + 100 * (sub - 10_300) }));
  const deviceBirth = (sub: number) => node.send(node.edge.deviceBirth(String(sub), metricsOf(sub), Date.now()));
  const connected = () =>
    ingest.rows<{ serial: number; reason: string | null }>(
      `select serial_number as serial, is_connected as "isConnected", disconnect_reason as reason from node_live
       where serial_number between 10300 and 10302 order by 1`,
    );
  const rowOf = (serial: number, isConnected: boolean, reason: string | null = null) => ({ serial, isConnected, reason });
  await node.birth();
  for (const sub of [10_301, 10_302]) await deviceBirth(sub);
  expect(await connected()).toEqual([rowOf(10_300, true), rowOf(10_301, true), rowOf(10_302, true)]);

  await node.birth();
  await deviceBirth(10_302);
  clock.advance(19);
  expect(await connected()).toEqual([rowOf(10_300, true), rowOf(10_301, true), rowOf(10_302, true)]);
  clock.advance(1);
  await expect.poll(connected).toEqual([rowOf(10_300, true), rowOf(10_301, false, "no-answer"), rowOf(10_302, true)]);
  expect(await ingest.rows("select actor, description from activity where action = 'NODE_DEATH'")).toEqual([
    { actor: "10301", description: "Sub node 10301 of node 10300 was not born again when its node was asked, and counts as disconnected" },
  ]);

  await deviceBirth(10_301);
  await expect.poll(connected).toEqual([rowOf(10_300, true), rowOf(10_301, true), rowOf(10_302, true)]);
});
