import { afterAll, beforeAll, expect, test } from "vitest";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { systemClock } from "#lib/clock.ts";
import { createTestIngest, type TestIngest } from "#testing/test-ingest.ts";
import { createNodeSessions } from "./node-sessions.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
  for (const serial of [10_500, 10_501, 10_502]) await ingest.addNode(serial);
});
afterAll(() => ingest.stop());

test("what is read of a node that is not listened to all the while is read anew: another process may have gone on with it", async () => {
  const store = createConnectivityStore(ingest.database.pool);
  const read = Promise.withResolvers<void>();
  const holds = new Map([10_500, 10_501, 99_999].map((serial) => [serial, { isLost: false }]));
  const sessions = createNodeSessions(
    { ...store, loadNodes: (serials) => store.loadNodes(serials).then((rows) => read.promise.then(() => rows)) },
    systemClock,
    (serial) => holds.get(serial),
  );
  const loading = sessions.load([10_500, 10_501, 10_502, 99_999]);
  holds.get(10_500)!.isLost = true;
  for (const serial of [10_500, 10_502]) holds.set(serial, { isLost: false });
  read.resolve();
  await loading;
  expect(sessions.get(10_501)).toMatchObject({ serial: 10_501 });
  expect(sessions.get(99_999)).toBe("unknown");
  for (const serial of [10_500, 10_502]) {
    expect(sessions.get(serial)).toBeUndefined();
    await sessions.load([serial]);
    expect(sessions.get(serial)).toMatchObject({ serial });
  }
});
