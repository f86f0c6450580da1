import { afterAll, beforeAll, expect, test } from "vitest";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode } from "#testing/test-world.ts";
import { createNodeCredentials } from "./node-credentials.service.ts";
import { replaceNodeCredentials } from "./issued-credentials.store.ts";
import { createNodeCredentialsStore } from "./node-credentials.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("credentials that were made or revoked lately are found, whenever they were made, and those in force open", async () => {
  const { pool } = database;
  const store = createNodeCredentialsStore(pool);
  const day = "interval '1 day'";
  const credentials: [serial: number, createdAt: string, revokedAt: string][] = [
    [18_001, "now()", "null"],
    [18_002, `now() - ${day}`, "null"],
    [18_003, `now() - ${day}`, "now()"],
    [18_004, `now() - 2 * ${day}`, `now() - ${day}`],
  ];
  for (const [serial, createdAt, revokedAt] of credentials) {
    await addNode(pool, serial);
    await pool.query(
      `insert into node_credential (serial_number, secret_hash, created_at, revoked_at) values ($1, $2, ${createdAt}, ${revokedAt})`,
      [serial, hashNodeSecret("secret")],
    );
  }
  const serials = credentials.map(([serial]) => serial);
  expect((await store.changedWithin(3_600)).toSorted((a, b) => a - b)).toEqual([18_001, 18_003]);
  expect((await store.findActive(serials)).map(({ serial }) => serial).toSorted((a, b) => a - b)).toEqual([18_001, 18_002]);
});

test("A-63 suspect is a connection that its node's credential of now may not open; locked out, one that none opens", async () => {
  const { pool } = database;
  const store = createNodeCredentialsStore(pool);
  const [lately, before, long] = ["now() - interval '1 minute'", "now() - interval '2 minutes'", "now() - interval '1 day'"];
  // When the credential was made and revoked, since when it is connected or not, and what is expected of it.
  const nodes: [
    serial: number,
    createdAt: string,
    revokedAt: string,
    connected: boolean,
    changedAt: string,
    isOlder: boolean | undefined,
  ][] = [
    [18_101, lately, "null", true, before, true],
    [18_102, before, "null", true, lately, false],
    [18_103, lately, "null", true, "null", true],
    [18_104, lately, "null", false, before, undefined],
    [18_105, long, lately, true, before, true],
    [18_106, long, lately, false, "now()", true],
    [18_107, long, "null", true, before, undefined],
    [18_108, long, long, true, before, undefined],
    // Decommissioned lately.
    [18_109, long, "null", true, "now()", true],
    [18_110, long, "null", false, before, true],
  ];
  for (const [serial, createdAt, revokedAt, connected, changedAt] of nodes) {
    await addNode(pool, serial);
    await pool.query(
      `insert into node_credential (serial_number, secret_hash, created_at, revoked_at) values ($1, '', ${createdAt}, ${revokedAt})`,
      [serial],
    );
    await pool.query(
      `update node_live set is_connected = $2, connection_changed_at = ${changedAt}, changed_xid = pg_current_xact_id() where serial_number = $1`,
      [serial, connected],
    );
  }
  await pool.query(
    `with c as (insert into customer (code, name) values ('retiring', 'Retiring Mills') returning id)
     insert into decommissioned_node (serial_number, customer_id, facility_name, site_name, decommissioned_at)
     select s, id, 'f', 's', ${lately} from c, unnest(array[18109, 18110]) s`,
  );
  const suspects = (await store.findSuspects(3_600))
    .filter(({ serial }) => serial > 18_100)
    .map(({ serial, isOlder }) => [serial, isOlder]);
  expect(suspects.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
    nodes.flatMap(([serial, , , , , isOlder]) => (isOlder === undefined ? [] : [[serial, isOlder]])),
  );
  expect((await store.findLockedOut()).toSorted((a, b) => a - b)).toEqual([18_105, 18_108, 18_109]);
});

test("a secret that was replaced or revoked opens nothing a second later, and a new one does", async () => {
  const { pool } = database;
  const clock = createManualClock();
  const credentials = createNodeCredentials(createNodeCredentialsStore(pool), clock);
  const opens = async (secret: string) => (await credentials.verify("18005", Buffer.from(secret))) !== undefined;
  await addNode(pool, 18_005);
  expect(await opens("first")).toBe(false);
  const write = (change: string) => pool.query(`update node_credential set ${change} where serial_number = 18005`);
  await pool.query("insert into node_credential (serial_number, secret_hash) values (18005, $1)", [hashNodeSecret("first")]);
  clock.advance(1.001);
  expect([await opens("first"), await opens("second"), await opens("")]).toEqual([true, false, false]);
  await write(`secret_hash = '\\x${hashNodeSecret("second").toString("hex")}'`);
  clock.advance(1.001);
  expect([await opens("first"), await opens("second")]).toEqual([false, true]);
  await write("revoked_at = now()");
  clock.advance(1.001);
  expect(await opens("second")).toBe(false);
});

test("new credentials take the place of all that was known of the old ones", async () => {
  const { pool } = database;
  await addNode(pool, 18_006);
  await addNode(pool, 18_007);
  const replace = async (secret: string) => {
    await pool.query("update node_credential set created_at = to_timestamp(0), revoked_at = now() where serial_number = 18006");
    return await replaceNodeCredentials(pool, [{ serial: 18_006, secret }]);
  };
  const row = async () =>
    (
      await pool.query<{ secret: Buffer; mosquitto: string; isNew: boolean; revoked: Date | null }>(
        `select secret_hash as secret, mosquitto_hash as mosquitto, created_at > to_timestamp(0) as "isNew", revoked_at as revoked
         from node_credential where serial_number = 18006`,
      )
    ).rows[0]!;
  expect(await replace("first")).toBe(1);
  const first = await row();
  expect(await replace("second")).toBe(1);
  const second = await row();
  expect(second).toEqual({ secret: hashNodeSecret("second"), mosquitto: expect.stringMatching(/\S/), isNew: true, revoked: null });
  expect(second.mosquitto).not.toBe(first.mosquitto);
  expect(await replaceNodeCredentials(pool, [{ serial: 18_999, secret: "of no node" }])).toBe(0);
});
