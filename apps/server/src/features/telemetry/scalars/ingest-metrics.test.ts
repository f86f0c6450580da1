import { afterAll, beforeAll, expect, test } from "vitest";
import { birthMetrics, createTestIngest, scalarMetrics, startTestNode, type TestIngest } from "#testing/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
});
afterAll(() => ingest.stop());

test("what came, was stored, was known, went missing and was refused is counted for those who watch over ingest", async () => {
  const beganAt = performance.now();
  await ingest.addNode(16_001);
  const node = await startTestNode(ingest, 16_001);
  await node.birth();
  const now = Date.now();
  for (const secondsAgo of [30, 20, 20]) await node.data(scalarMetrics(now - secondsAgo * 1_000, 1));
  await node.data(scalarMetrics(now + 3_600_000, 1));
  node.edge.nextSeq();
  await node.data(scalarMetrics(now, 1));
  await expect.poll(() => read("rebirth_requests_total")).toEqual({ "seq-gap": 1 });
  await node.birth(birthMetrics());
  expect({
    received: await read("received_total"),
    stored: await read("stored_total"),
    duplicates: await read("duplicates_total"),
    missing: await read("missing_total"),
    quarantined: await read("quarantined_total"),
    failures: await read("flush_failures_total"),
    waiting: await read("queue_length"),
  }).toEqual({
    received: { "": 7 },
    stored: { "": 3 },
    duplicates: { "": 1 },
    missing: { "": 1 },
    quarantined: { "timestamp-in-future": 1 },
    failures: { "": 0 },
    waiting: { "": 0 },
  });
  // In seconds: of one node all transactions together took no longer than the test.
  const { values } = await ingest.registry.getSingleMetric("busbar_ingest_flush_seconds")!.get();
  const of = (end: string) =>
    (values as { metricName?: string; value: number }[]).find(({ metricName }) => metricName?.endsWith(end))!.value;
  expect(of("_count")).toBeGreaterThan(3);
  expect(of("_sum")).toBeLessThan((performance.now() - beganAt) / 1_000);
});

/** Values of one of ingest's metrics, as a scraper reads them, by their labels. */
async function read(name: string): Promise<Record<string, number>> {
  const { values } = await ingest.registry.getSingleMetric(`busbar_ingest_${name}`)!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(), value]));
}
