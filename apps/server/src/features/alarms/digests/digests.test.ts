import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createFaultNotices } from "#features/alarms/fault-notices/fault-notices.service.ts";
import { createConnectivityMonitor } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import { createMail } from "#features/alarms/mail/mail.service.ts";
import { createMailStore } from "#features/alarms/mail/mail.store.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";
import { createDigests } from "./digests.service.ts";
import { findDigestUsers, takeDigest } from "./digests.store.ts";
import { createSubscriptionReport } from "./subscription-report.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let place: TestPlace;
let clock: ManualClock;
let serial = 44_000;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query(
    "delete from notification; delete from notice_told; delete from app_user; delete from node; delete from connection_loss",
  );
  place = await addPlace(pool);
  await addNode(pool, ++serial, place, { current_deployment_status: "Deployed" });
  clock = createManualClock(Date.parse("2026-06-10T10:00:00Z")); // a Wednesday
});

async function subscribe(
  name: string,
  frequency: string,
  columns: Record<string, unknown> = {},
  facilityId = place.facilityId,
): Promise<number> {
  const id = await server.addUser(name, place.customerId, { email: `${name}@mail.example`, ...columns });
  await server.database.pool.query("insert into facility_subscription values ($1, $2, $3)", [id, facilityId, frequency]);
  return id;
}

const dependencies = () => {
  const { pool } = server.database;
  const mail = createMail({
    store: createMailStore(pool),
    transport: { send: () => Promise.reject(new Error("not here")) },
    clock,
    log: silentLog,
    domain: "busbar.example",
    consoleUrl: () => "https://busbar.example",
  });
  return { ...server.context.fleetNotices, clock, mail, digests: createDigests(clock) };
};

/** A fault that the platform reports now. */
const fault = (kind = "overVoltage", secondsAgo = 0) =>
  inTransaction(server.database.pool, (client) =>
    createFaultNotices({ ...dependencies(), defaultFlags: () => Promise.resolve(defaultFaultLibraryFlags) }).notify(client, [
      { serialNumber: serial, kind, at: clock.now() / 1000 - secondsAgo, value: 8.7, limit: 8 },
    ]),
  );

const run = () => createSubscriptionReport(dependencies()).run(signal);
async function runAt(at: string): Promise<number> {
  clock.advance((Date.parse(at) - clock.now()) / 1000);
  return (await run()) as number;
}

const digests = async () =>
  (
    await server.database.pool.query<{ subject: string; to: string[]; body: string }>(
      `select subject, recipients_to as "to", body from notification where kind = 'SUBSCRIPTION_REPORT' order by id`,
    )
  ).rows;
const waiting = async () => (await server.database.pool.query("select 1 from digest_item")).rowCount;

test("USR-11 who subscribes Daily gets one message at 12:00 UTC with all that was reported since the last", async () => {
  await subscribe("ann", "Daily");
  await fault();
  clock.advance(600);
  await fault("underVoltage");
  // Judged late, as what comes in files is.
  await fault("voltageSag", 900);
  expect(await runAt("2026-06-10T11:59:59Z")).toBe(0);
  expect(await runAt("2026-06-10T12:00:00Z")).toBe(1);
  expect(await digests()).toEqual([
    {
      subject: "[Development] Daily digest: 3 messages, North Works",
      to: ["ann@mail.example"],
      body: [
        "What was reported of your facilities in the day until 2026-06-10 12:00 UTC.",
        "",
        "North Works, Alder Pumping",
        `  2026-06-10 04:55:00 CDT  Voltage sag (IEEE 1159): Feed Pump 1 (${serial})`,
        `  2026-06-10 05:00:00 CDT  Over-voltage: Feed Pump 1 (${serial})`,
        `  2026-06-10 05:10:00 CDT  Under-voltage: Feed Pump 1 (${serial})`,
        "",
      ].join("\n"),
    },
  ]);
  expect(await runAt("2026-06-11T12:00:00Z")).toBe(0);
  expect(await waiting()).toBe(0);
});

test("who subscribes Weekly gets it on Monday", async () => {
  await subscribe("ann", "Weekly");
  await fault();
  for (const day of ["10", "11", "12", "13", "14"]) expect(await runAt(`2026-06-${day}T12:00:00Z`)).toBe(0);
  expect(await runAt("2026-06-15T11:59:00Z")).toBe(0);
  expect(await runAt("2026-06-15T12:00:00Z")).toBe(1);
  expect((await digests())[0]?.subject).toBe("[Development] Weekly digest: 1 message, North Works");
});

describe("nothing is lost and nothing comes twice", () => {
  test("what was added when the period was over waits for the next", async () => {
    await subscribe("ann", "Daily");
    await fault();
    clock.advance(2 * 3_600);
    await fault("underVoltage");
    expect(await run()).toBe(1);
    expect((await digests())[0]?.body).not.toContain("Under-voltage");
    expect(await runAt("2026-06-11T12:00:00Z")).toBe(1);
    expect((await digests())[1]?.body).toContain("Under-voltage");
  });

  test("what was written before the end and committed after the digest comes with the next", async () => {
    await subscribe("ann", "Daily");
    await fault();
    await runAt("2026-06-10T12:00:00Z");
    clock.advance(-1);
    await fault("underVoltage");
    clock.advance(1);
    expect([await run(), await waiting()]).toEqual([0, 1]);
    expect(await runAt("2026-06-11T12:00:00Z")).toBe(1);
    expect((await digests())[1]?.body).toContain("Under-voltage");
  });

  test("when several servers send at the same moment, and when someone runs the service by hand", async () => {
    await subscribe("ann", "Daily");
    await subscribe("bob", "Daily");
    await fault();
    clock.advance(2 * 3_600);
    await Promise.all([run(), run(), run()]);
    await run();
    const recipients = (await digests()).flatMap(({ to }) => to);
    expect([recipients.length, new Set(recipients)]).toEqual([2, new Set(["ann@mail.example", "bob@mail.example"])]);
  });

  test("when the server dies while it sends: message and list change together", async () => {
    await subscribe("ann", "Daily");
    await fault();
    clock.advance(2 * 3_600);
    const dying = { ...dependencies(), mail: { enqueue: () => Promise.reject(Object.assign(new Error("died"), { code: "57P03" })) } };
    await expect(createSubscriptionReport(dying).run(signal)).rejects.toThrow("died");
    expect(await waiting()).toBe(1);
    expect(await run()).toBe(1);
    expect(await digests()).toHaveLength(1);
  });

  test("when no server was there for days", async () => {
    await subscribe("ann", "Daily");
    await fault();
    expect(await runAt("2026-06-13T09:00:00Z")).toBe(1);
    expect((await digests())[0]?.body).toContain("until 2026-06-12 12:00 UTC");
  });

  test("one fault that is reported again is one line", async () => {
    await subscribe("ann", "Daily");
    await fault();
    await fault();
    expect(await waiting()).toBe(1);
  });
});

describe("only what concerns the subscriber", () => {
  test("by preference, place and status; NFM-09 a deployment issue stays inside, what is paused is for no one", async () => {
    await subscribe("ann", "Daily");
    await subscribe("deaf", "Daily", { receive_fault_library_notifications: false });
    await subscribe("gone", "Daily", { active_status: "SUSPENDED" });
    await subscribe("now", "Immediate");
    await subscribe("insider", "Daily", { internal_user: true });
    await subscribe("elsewhere", "Daily", {}, (await addPlace(server.database.pool)).facilityId);
    await server.database.pool.query("update node set pause_notifications = true");
    await fault();
    await server.database.pool.query("update node set pause_notifications = false, deployment_issue = true");
    await fault("underVoltage");
    await server.database.pool.query("update node set deployment_issue = false");
    await fault("lossOfPhase");
    await runAt("2026-06-10T12:00:00Z");
    const all = await digests();
    expect(all.map(({ to, body }) => [to[0], body.match(/ {2}[A-Z][^:]*: Feed/g)?.length])).toEqual([
      ["ann@mail.example", 1],
      ["insider@mail.example", 2],
    ]);
    expect(all[0]?.body).toContain("Loss of phase");
  });

  test("a facility that went to another customer is not notified any more", async () => {
    await subscribe("ann", "Daily");
    await fault();
    const other = await addPlace(server.database.pool, "America/Denver", "Elm Works");
    await server.database.pool.query("update facility set customer_id = $1, name = 'Moved' where id = $2", [
      other.customerId,
      place.facilityId,
    ]);
    expect(await runAt("2026-06-10T12:00:00Z")).toBe(0);
    expect([await digests(), await waiting()]).toEqual([[], 0]);
  });

  test("neither what they left meanwhile nor anything after they were suspended", async () => {
    const ann = await subscribe("ann", "Daily");
    const bob = await subscribe("bob", "Daily");
    await fault();
    await server.database.pool.query("delete from facility_subscription where user_id = $1", [ann]);
    await server.database.pool.query("update app_user set active_status = 'SUSPENDED' where id = $1", [bob]);
    expect(await runAt("2026-06-10T12:00:00Z")).toBe(0);
    expect(await waiting()).toBe(0);
  });
});

test("lost connections are in it too, a facility's outage as one line; many lines are cut", async () => {
  const { pool } = server.database;
  await subscribe("ann", "Daily");
  await setLive(pool, serial, { is_connected: false, connection_changed_at: new Date(clock.now() - 700_000) });
  await createConnectivityMonitor(dependencies()).run(signal);
  for (let count = 0; count < 120; count++) {
    clock.advance(10);
    await fault();
  }
  await runAt("2026-06-10T12:00:00Z");
  const [{ subject, body } = { subject: "", body: "" }] = await digests();
  expect(subject).toBe("[Development] Daily digest: 121 messages, North Works");
  expect(body).toContain(`Connectivity lost: Feed Pump 1 (${serial})`);
  expect(body).toContain("  and 21 more");
  expect(body.match(/^ {2}(?!and )/gm)).toHaveLength(100);
});

test("a digest has what was added for its reader and rhythm before a moment, by customer and facility, of what still concerns them", async () => {
  const { pool } = server.database;
  const own = await subscribe("ann", "Daily");
  const other = await subscribe("bob", "Daily");
  const insider = await subscribe("ivy", "Daily", { internal_user: true });
  const all = await server.addUser("all", place.customerId, { email: "all@mail.example", auto_subscribe_all_facilities: true });
  const elsewhere = await addPlace(pool, "UTC", "Aspen Water");
  const { rows } = await pool.query<{ id: number }>(
    "insert into facility (customer_id, name, site_name) values ($1, 'a mill', 'A'), ($1, 'Zoo', 'Z') returning id",
    [place.customerId],
  );
  const [mill, zoo] = rows.map(({ id }) => id);
  const now = clock.now() / 1000;
  const add = (user: number, facility: number, line: string, frequency = "Daily", added = -1, happened = 0) =>
    pool.query(
      "insert into digest_item (user_id, facility_id, frequency, happened_at, added_at, line) values ($1, $2, $3, to_timestamp($4), to_timestamp($5), $6)",
      [user, facility, frequency, now + happened, now + added, line],
    );
  for (const facility of [mill!, elsewhere.facilityId])
    await pool.query("insert into facility_subscription values ($1, $2, 'Daily'), ($3, $2, 'Daily')", [own, facility, insider]);
  await add(own, place.facilityId, "later", "Daily", -1, -1);
  await add(own, place.facilityId, "earlier", "Daily", -1, -9);
  await add(own, mill!, "mill");
  await add(own, zoo!, "not subscribed");
  await add(own, elsewhere.facilityId, "of another customer");
  await add(own, place.facilityId, "weekly", "Weekly");
  await add(own, place.facilityId, "too young", "Daily", 0);
  await add(other, place.facilityId, "of another", "Daily", 0);
  await add(insider, elsewhere.facilityId, "for insiders");
  await add(insider, place.facilityId, "for all insiders");
  await add(all, zoo!, "of all");
  await add(all, elsewhere.facilityId, "not of all");
  expect(await findDigestUsers(pool, "Daily", now)).toEqual([own, insider, all]);
  const take = async (user: number) =>
    (await inTransaction(pool, (client) => takeDigest(client, user, "Daily", now))).map((each) => [
      each.email,
      each.customerName,
      each.facilityName,
      each.lines,
    ]);
  expect([await take(own), await take(own), await take(other)]).toEqual([
    [
      ["ann@mail.example", "Alder Pumping", "a mill", ["mill"]],
      ["ann@mail.example", "Alder Pumping", "North Works", ["earlier", "later"]],
    ],
    [],
    [],
  ]);
  expect([await take(insider), await take(all)]).toEqual([
    [
      ["ivy@mail.example", "Alder Pumping", "North Works", ["for all insiders"]],
      ["ivy@mail.example", "Aspen Water", "North Works", ["for insiders"]],
    ],
    [["all@mail.example", "Alder Pumping", "Zoo", ["of all"]]],
  ]);
  const { rows: left } = await pool.query<{ line: string }>("select line from digest_item where user_id = any ($1::int4[]) order by line", [
    [own, other, insider, all],
  ]);
  expect(left.map(({ line }) => line)).toEqual(["of another", "too young", "weekly"]);
});
