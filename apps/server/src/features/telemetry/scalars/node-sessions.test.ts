import { afterAll, beforeAll, expect, test } from "vitest";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { systemClock } from "#lib/clock.ts";
import { createTestIngest, type TestIngest } from "#testing/test-ingest.ts";
import { createNodeSessions } from "./node-sessions.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
  for (const serial of [10_500, 10_501]) await ingest.addNode(serial);
});
afterAll(() => ingest.stop());

test("what is forgotten while it is read is read anew: another process has gone on with it meanwhile", async () => {
  const store = createConnectivityStore(ingest.database.pool);
  const read = Promise.withResolvers<void>();
  const sessions = createNodeSessions(
    { ...store, loadNodes: (serials) => store.loadNodes(serials).then((rows) => read.promise.then(() => rows)) },
    systemClock,
  );
  const loading = sessions.load([10_500, 10_501, 99_999]);
  sessions.forget((serial) => serial === 10_500);
  read.resolve();
  await loading;
  expect(sessions.get(10_500)).toBeUndefined();
  expect(sessions.get(10_501)).toMatchObject({ serial: 10_501 });
  expect(sessions.get(99_999)).toBe("unknown");
  await sessions.load([10_500]);
  expect(sessions.get(10_500)).toMatchObject({ serial: 10_500 });
});
