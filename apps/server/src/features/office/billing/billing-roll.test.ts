import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createBillingRoll } from "./billing-roll.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let place: TestPlace;
let serial = 45_000;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query(
    "delete from notification; delete from notice_told; delete from system_config; delete from billing_organization; delete from node",
  );
  place = await addPlace(server.database.pool);
  await addBilled("Pump A", {});
  await addPayer("Birch Holding", place);
});

async function addPayer(name: string, of: TestPlace): Promise<void> {
  await server.database.pool.query(
    "with o as (insert into billing_organization (name) values ($1) returning id) insert into billing_organization_customer select $2, id from o",
    [name, of.customerId],
  );
}

async function addBilled(name: string, columns: Record<string, string>): Promise<number> {
  const names = ["facility_id", "name", "timezone", ...Object.keys(columns)];
  const { rows } = await server.database.pool.query<{ id: number }>(
    `insert into location (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")}) returning id`,
    [place.facilityId, name, "America/Chicago", ...Object.values(columns)],
  );
  await addNode(server.database.pool, ++serial, { ...place, locationId: rows[0]!.id }, { current_deployment_status: "Deployed" });
  return rows[0]!.id;
}

const set = (key: string, value: unknown) =>
  server.database.pool.query("insert into system_config (key, value) values ($1, $2)", [key, JSON.stringify(value)]);

const runOn = (day: string) =>
  createBillingRoll({
    ...server.context.fleetNotices,
    ...server.context.billingNotices,
    clock: createManualClock(Date.parse(`${day}T08:00:00Z`)),
  }).run(signal);

const outbox = async () =>
  (
    await server.database.pool.query<{ subject: string; to: string[]; body: string }>(
      `select subject, recipients_to as "to", body from notification where kind = 'BILL_READY' order by id`,
    )
  ).rows;

test("A-16 a bill is announced thirty days before paid time ends, once", async () => {
  await set("Notices_internalRecipients", ["desk@busbar.example"]);
  expect(await runOn("2026-12-01")).toBe(1);
  await server.database.pool.query("delete from notification; delete from notice_told");
  expect(await runOn("2026-11-30")).toBe(0);
  for (const day of ["2026-12-01", "2026-12-02", "2026-12-31"]) await runOn(day);
  expect(await outbox()).toEqual([
    {
      subject: "[Development] Bill ready: Birch Holding",
      to: ["desk@busbar.example"],
      body: [
        "A bill for Birch Holding can be made.",
        "",
        "Paid time ends:",
        "  2026-12-31  1 location",
        "",
        "With Paid Thru 2026-12-31 and Bill To 2027-12-31 the bill has 1 location and comes to $1,800.00, without energy.",
        "1 location is left out; the bill says why.",
        "",
        "Make it here: http://127.0.0.1:8080/admin/#/accounts/billing",
        "",
      ].join("\n"),
    },
  ]);
});

test("the next year is another period", async () => {
  await runOn("2026-12-05");
  expect(await runOn("2027-01-05")).toBe(0);
  expect(await runOn("2027-12-05")).toBe(1);
  expect(await outbox()).toHaveLength(2);
});

test("each end of paid time is announced; those that come together are one message", async () => {
  await addBilled("Pump B", { paid_thru_date: "2026-06-30" });
  await addBilled("Pump C", { paid_thru_date: "2026-03-31" });
  await addBilled("Pump D", { billing_start_date: "2026-07-01" });
  await addBilled("Pump E", { billing_end_date: "2026-01-31", paid_thru_date: "2026-01-31" });
  await runOn("2026-06-05");
  expect((await outbox())[0]?.body).toContain("Paid time ends:\n  2026-03-31  1 location\n  2026-06-30  1 location\n\n");
  expect(await runOn("2026-06-06")).toBe(0);
  expect(await runOn("2026-12-05")).toBe(1);
});

test("who is notified and how long before are settings", async () => {
  await set("Notices_internalRecipients", ["desk@busbar.example"]);
  await set("Billing_noticeRecipients", ["books@busbar.example"]);
  await set("Billing_noticeDays", 10);
  expect(await runOn("2026-12-20")).toBe(0);
  expect(await runOn("2026-12-21")).toBe(1);
  expect((await outbox())[0]?.to).toEqual(["books@busbar.example"]);
  await server.database.pool.query(
    "delete from notification; delete from notice_told; delete from system_config where key like '%Recipients'",
  );
  await set("Notices_internalRecipients", ["desk@busbar.example"]);
  expect(await runOn("2026-12-21")).toBe(1);
  expect((await outbox())[0]?.to).toEqual(["desk@busbar.example"]);
});

test("several servers at once make one message for each organisation", async () => {
  const other = await addPlace(server.database.pool);
  await addPayer("Empty Holding", other);
  await Promise.all([runOn("2026-12-05"), runOn("2026-12-05"), runOn("2026-12-05")]);
  expect((await outbox()).map(({ subject }) => subject)).toEqual(["[Development] Bill ready: Birch Holding"]);
});

test("the bill stays a person's act: nothing is paid, posted or changed", async () => {
  const before = (await server.database.pool.query("select * from location order by id")).rows;
  await runOn("2026-12-05");
  expect((await server.database.pool.query("select * from location order by id")).rows).toEqual(before);
  expect((await server.database.pool.query("select 1 from activity where action = 'POST_BILL'")).rowCount).toBe(0);
});
