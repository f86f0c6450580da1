import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { activityHour } from "./activity-hour-sql.ts";
import { batchObject, bulkObject, nodeObject, recordActivities, recordActivity, userObject } from "./activities.store.ts";
import { readChangesSince } from "./recorded-changes.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const user = { actorType: "User", actor: "pat", action: "PATCH_NODE" } as const;

test("what happened is recorded as it was said, in its order", async () => {
  expect([nodeObject("7"), batchObject(7), bulkObject(7), userObject(7)]).toEqual(["node/7", "batch/7", "bulk/7", "user/7"]);
  await recordActivities(database.pool, [
    { ...user, object: "node/7", description: "First", before: { a: 1 }, after: { a: [2, null] } },
    { actorType: "System", actor: "BillingRoll", action: "LOGIN", description: "Second", after: null },
  ]);
  await recordActivity(database.pool, { ...user, description: "Third", before: "text" });
  const { rows } = await database.pool.query<Record<string, unknown>>(
    "select actor_type, actor, action, object, description, before, after, before is null as none from activity order by id",
  );
  expect(rows).toEqual([
    {
      actor_type: "User",
      actor: "pat",
      action: "PATCH_NODE",
      object: "node/7",
      description: "First",
      before: { a: 1 },
      after: { a: [2, null] },
      none: false,
    },
    {
      actor_type: "System",
      actor: "BillingRoll",
      action: "LOGIN",
      object: "",
      description: "Second",
      before: null,
      after: null,
      none: true,
    },
    { actor_type: "User", actor: "pat", action: "PATCH_NODE", object: "", description: "Third", before: "text", after: null, none: false },
  ]);
});

test("the changes of one object since a revision, oldest first", async () => {
  const change = (object: string, actor: string, revision: number) => ({
    ...user,
    actor,
    object,
    description: "Changed",
    before: { revision },
    after: { revision: revision + 1 },
  });
  await recordActivities(database.pool, [
    change("node/8", "ann", 2),
    change("node/8", "ben", 3),
    change("node/8", "cas", 4),
    change("node/80", "dee", 4),
    change("", "eli", 4),
    { ...change("node/8", "fay", 5), before: { name: "x" } },
    { ...change("node/8", "gus", 6), after: { name: "x" } },
    { ...change("node/8", "hal", 7), before: undefined },
  ]);
  const since = (object: string, revision: number) =>
    inTransaction(database.pool, async (client) =>
      (await readChangesSince(client, object, revision)).map(({ actor, before }) => [actor, before]),
    );
  expect(await since("node/8", 3)).toEqual([
    ["ben", { revision: 3 }],
    ["cas", { revision: 4 }],
  ]);
  expect([await since("node/8", 5), await since("", 0)]).toEqual([[], []]);
});

test("an activity shows the hour in which it happened", async () => {
  const hourOf = async (time: string) =>
    (await database.pool.query<{ hour: string }>(`select ${activityHour} as hour from (select $1::timestamptz as ts) t`, [time])).rows[0]
      ?.hour;
  expect([await hourOf("1970-01-02T01:59:59.9Z"), await hourOf("1970-01-02T02:00:00Z")]).toEqual(["25", "26"]);
});
