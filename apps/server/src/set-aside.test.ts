import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createScheduler } from "#services/scheduler.ts";
import { createServiceStore } from "#services/service.store.ts";
import type { Task } from "#services/service.ts";
import { poisons } from "#testing/poison-cases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { readConfig } from "./config.ts";
import { createServiceTasks } from "./service-tasks.ts";

let mail: TestMailServer;
let server: TestApp;
let tasks: Task[];

beforeAll(async () => {
  mail = await startTestMailServer();
});
afterAll(() => mail.stop());
beforeEach(async () => {
  const env = { SMTP_URL: mail.url };
  server = await createTestApp(env);
  const { clock, context, database, dataDir } = server;
  tasks = createServiceTasks({
    pool: database.pool,
    config: readConfig({ DATA_DIR: dataDir, ...env }),
    log: context.log,
    clock,
    context,
  });
});
afterEach(() => server.stop());

async function run(name: string, times = 1) {
  const { database, clock, context } = server;
  const scheduler = createScheduler({ pool: database.pool, tasks: tasks.filter((task) => task.name === name), clock, log: context.log });
  const store = createServiceStore(database.pool);
  for (let count = 0; count < times; count++) {
    // It is requested once more, but not by a person, who would have everything tried again.
    await database.pool.query("update service set next_run_at = to_timestamp($2) where name = $1", [name, clock.now() / 1000]);
    await scheduler.tick();
  }
  await scheduler.stop();
  return (await store.listServices(clock.now() / 1000)).get(name)!;
}
const triesOf = async (name: string) =>
  (
    await server.database.pool.query<{ tries: number; seconds: number }>(
      "select tries, extract(epoch from next_try_at - last_at)::float8 as seconds from service_set_aside where service = $1",
      [name],
    )
  ).rows;

test("A-01 every service has something that it cannot do its work on", () => {
  expect(Object.keys(poisons).toSorted()).toEqual(tasks.map(({ name }) => name).toSorted());
});

describe("A-01 one bad item is set aside, named, counted and tried again, and the others go on", () => {
  test.each(Object.entries(poisons))("%s", async (name, poison) => {
    const { bad, repair, isDone, runs = 1 } = await poison(server);
    const first = await run(name, runs);
    expect([await isDone("good"), await isDone("bad")]).toEqual([true, false]);
    expect(first).toMatchObject({ failingSince: null, logEntry: expect.stringContaining(`1 set aside: ${bad} (`) });
    expect(server.logText()).toContain("set aside");

    await run(name);
    expect(await triesOf(name)).toEqual([{ tries: 1, seconds: 60 }]);
    server.clock.advance(61);
    expect((await run(name)).logEntry).toContain(bad);
    expect(await triesOf(name)).toEqual([{ tries: 2, seconds: 120 }]);

    await repair();
    server.clock.advance(121);
    const last = await run(name);
    expect(last.logEntry).not.toContain("set aside");
    expect(last.lastWork).toEqual({ did: expect.stringMatching(/^[A-Z][a-z ]+ \d/), timestamp: expect.any(Number) });
    expect([await isDone("bad"), await triesOf(name)]).toEqual([true, []]);
  });

  test("a person who asks for a run has everything tried at once", async () => {
    const { repair, isDone } = await poisons["DemandRollup"]!(server);
    await run("DemandRollup");
    await repair();
    await createServiceStore(server.database.pool).requestRun("DemandRollup");
    await run("DemandRollup");
    expect(await isDone("bad")).toBe(true);
  });
});
