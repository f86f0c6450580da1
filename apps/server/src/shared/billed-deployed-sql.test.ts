import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { insertSwap } from "#features/directory/node-swaps/node-swaps.store.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { deployedSince } from "./billed-deployed-sql.ts";

let database: TestDatabase;
let place: TestPlace;
let other: TestPlace;
let serial = 20_000;
beforeAll(async () => {
  database = await createTestDatabase();
  place = await addPlace(database.pool);
  other = await addPlace(database.pool);
});
afterAll(() => database.stop());

interface Swap {
  slot?: 1 | 2;
  isElsewhere?: boolean;
  isOfAnother?: boolean;
  since: string | null;
}

/** Since when a node is billed, with a status that it got so many days after the swaps. */
async function billedSince(status: string, daysAfter: number, ...swaps: Swap[]): Promise<string | null> {
  const [own, stranger] = [++serial, ++serial];
  for (const number of [own, stranger]) await addNode(database.pool, number, undefined, { current_deployment_status: status });
  return await inTransaction(database.pool, async (client) => {
    await client.query(
      "update node set current_deployment_status_updated_at = now() + $2 * interval '1 day' where serial_number = any ($1::int4[])",
      [[own, stranger], daysAfter],
    );
    for (const { slot = 1, isElsewhere = false, isOfAnother = false, since } of swaps)
      await insertSwap(client, {
        old: String(isOfAnother ? own : stranger),
        new: String(isOfAnother ? stranger : own),
        place: {
          ...(isElsewhere ? other : place),
          customerName: "",
          facilityName: "",
          siteName: "",
          locationName: "",
          slot,
          noteCount: 0,
          deployedSince: since,
        },
        username: "",
        reason: "",
        oldNodeStatus: "Unassigned",
        config: {},
      });
    const { rows } = await client.query<{ since: string | null }>(
      `select case when d.since = n.current_deployment_status_updated_at then 'its status' else to_char(d.since at time zone 'UTC', 'YYYY-MM-DD') end as since
       from node n, (select $2::int4 as location_id, 1 as slot) a, lateral (select ${deployedSince} as since) d where n.serial_number = $1`,
      [own, place.locationId],
    );
    return rows[0]!.since;
  });
}

const [second, third] = ["2026-03-02", "2026-03-03"];
test.each<[what: string, status: string, daysAfter: number, swaps: Swap[], expected: string | null]>([
  ["one that is Deployed, since it is", "Deployed", 0, [{ since: second }], "its status"],
  ["one that came by a swap with its status, as the one before it", "Pre-Deployment", 0, [{ since: second }], second],
  ["one that got its status before the swap, too", "Pre-Deployment", -1, [{ since: second }], second],
  ["by the last of two swaps", "Pre-Deployment", 0, [{ since: second }, { since: third }], third],
  ["not one whose predecessor was not", "Pre-Deployment", 0, [{ since: second }, { since: null }], null],
  ["not one whose status was set after the swap", "Pre-Deployment", 1, [{ since: second }], null],
  ["not one that was swapped in elsewhere", "Pre-Deployment", 0, [{ since: second, isElsewhere: true }], null],
  ["not one that was swapped in on the other side", "Pre-Deployment", 0, [{ since: second, slot: 2 }], null],
  ["not one that was swapped out", "Pre-Deployment", 0, [{ since: second, isOfAnother: true }], null],
  ["not one that came without a swap", "Pre-Deployment", 0, [], null],
  ["not one of another status", "Unassigned", 0, [{ since: second }], null],
])("A-63 a place is billed as Deployed: %s", async (_, status, daysAfter, swaps, expected) => {
  expect(await billedSince(status, daysAfter, ...swaps)).toBe(expected);
});
