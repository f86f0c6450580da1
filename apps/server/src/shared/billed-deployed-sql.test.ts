import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { deployedSince } from "./billed-deployed-sql.ts";

const at = (day: number) => new Date(Date.UTC(2026, 2, day));
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
  day?: number;
  slot?: number;
  isElsewhere?: boolean;
  isOfAnother?: boolean;
  since: number | null;
}

/** Since which day a node is billed, with the status that it has since the 10th. */
async function billedSince(status: string, ...swaps: Swap[]): Promise<number | null> {
  const { pool } = database;
  const [own, stranger] = [++serial, ++serial];
  for (const number of [own, stranger])
    await addNode(pool, number, undefined, { current_deployment_status: status, current_deployment_status_updated_at: at(10) });
  for (const { day = 10, slot = 1, isElsewhere = false, isOfAnother = false, since } of swaps)
    await pool.query(
      `insert into node_swap (old_serial_number, new_serial_number, location_id, slot, customer_name, facility_name, location_name, swapped_at, swapped_by,
         reason, old_node_status, deployed_since) values ($1, $2, $3, $4, '', '', '', $5, '', '', '', $6)`,
      [
        isOfAnother ? own : stranger,
        isOfAnother ? stranger : own,
        (isElsewhere ? other : place).locationId,
        slot,
        at(day),
        since === null ? null : at(since),
      ],
    );
  const { rows } = await pool.query<{ since: Date | null }>(
    `select ${deployedSince} as since from node n, (select $2::int4 as location_id, 1 as slot) a where n.serial_number = $1`,
    [own, place.locationId],
  );
  return rows[0]!.since?.getUTCDate() ?? null;
}

test.each<[what: string, status: string, swaps: Swap[], expected: number | null]>([
  ["one that is Deployed, since it is", "Deployed", [{ since: 2 }], 10],
  ["one that came by a swap with its status, as the one before it", "Pre-Deployment", [{ since: 2 }], 2],
  ["one that got its status before the swap, too", "Pre-Deployment", [{ day: 11, since: 2 }], 2],
  [
    "by the last of two swaps",
    "Pre-Deployment",
    [
      { day: 11, since: 2 },
      { day: 11, since: 3 },
    ],
    3,
  ],
  ["not one whose predecessor was not", "Pre-Deployment", [{ since: 2 }, { since: null }], null],
  ["not one whose status was set after the swap", "Pre-Deployment", [{ day: 9, since: 2 }], null],
  ["not one that was swapped in elsewhere", "Pre-Deployment", [{ since: 2, isElsewhere: true }], null],
  ["not one that was swapped in on the other side", "Pre-Deployment", [{ since: 2, slot: 2 }], null],
  ["not one that was swapped out", "Pre-Deployment", [{ since: 2, isOfAnother: true }], null],
  ["not one that came without a swap", "Pre-Deployment", [], null],
  ["not one of another status", "Unassigned", [{ since: 2 }], null],
])("A-63 a place is billed as Deployed: %s", async (_, status, swaps, expected) => {
  expect(await billedSince(status, ...swaps)).toBe(expected);
});
