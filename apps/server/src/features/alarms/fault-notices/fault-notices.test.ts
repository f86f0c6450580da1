import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let place: TestPlace;
let serial = 31_000;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query("delete from notification; delete from app_user");
  place = await addPlace(server.database.pool);
  await addNode(server.database.pool, ++serial, place);
});

interface UserColumns {
  internal_user?: boolean;
  receive_fault_library_notifications?: boolean;
  active_status?: string;
  auto_subscribe_all_facilities?: boolean;
  customer_id?: number;
}

/** A customer's user who subscribes to the place's facility. */
async function addSubscriber(name: string, columns: UserColumns = {}, frequency: string | null = "Immediate"): Promise<void> {
  const all = { customer_id: place.customerId, ...columns };
  const { rows } = await server.database.pool.query<{ id: number }>(
    `insert into app_user (username, email, ${Object.keys(all).join(", ")}) values ($1, $1 || '@mail.example', ${Object.keys(all)
      .map((_, index) => `$${index + 2}`)
      .join(", ")}) returning id`,
    [name, ...Object.values(all)],
  );
  if (frequency === null) return;
  await server.database.pool.query("insert into facility_subscription (user_id, facility_id, frequency) values ($1, $2, $3)", [
    rows[0]!.id,
    place.facilityId,
    frequency,
  ]);
}

const report = (kind = "overVoltage", at = Date.parse("2026-06-10T17:00:00Z") / 1000) =>
  inTransaction(server.database.pool, (client) =>
    server.context.faultNotices.notify(client, [{ serialNumber: serial, kind, at, value: 8.696, limit: 8 }]),
  );

const outbox = async () =>
  (
    await server.database.pool.query<{
      kind: string;
      subject: string;
      to: string[];
      bcc: string[];
      body: string;
      reason: string | null;
      isDue: boolean;
    }>(
      `select kind, subject, recipients_to as "to", recipients_bcc as bcc, body, sent_failed_reason as reason, next_attempt_at is not null as "isDue" from notification`,
    )
  ).rows;

test("USR-11 only who subscribes, wants faults and may sign in is notified; internal users are on BCC", async () => {
  await addSubscriber("ann");
  await addSubscriber("bob", { auto_subscribe_all_facilities: true }, null);
  await addSubscriber("insider", { internal_user: true });
  await addSubscriber("deaf", { receive_fault_library_notifications: false });
  await addSubscriber("gone", { active_status: "SUSPENDED" });
  await addSubscriber("weekly", {}, "Weekly");
  await addSubscriber("stranger", { customer_id: (await addPlace(server.database.pool)).customerId });
  await addSubscriber("bystander", {}, null);
  await report();
  const [message, ...others] = await outbox();
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    kind: "FAULT_overVoltage",
    subject: `[Development] Over-voltage: Feed Pump 1, North Works (${serial})`,
    to: ["ann@mail.example", "bob@mail.example"],
    bcc: ["insider@mail.example"],
    isDue: true,
  });
  expect(message?.body).toContain("Time: 2026-06-10 12:00:00 CDT");
  expect(message?.body).toContain("Measured: 8.7 %, limit 8 %");
});

test("one fault makes one message, however often it is reported; the next one makes another", async () => {
  await report();
  await report();
  expect(await outbox()).toHaveLength(1);
  await report("overVoltage", 1_800_000_000);
  expect(await outbox()).toHaveLength(2);
});

test("the location's flag decides, where it says nothing the default does", async () => {
  await report("underload");
  expect(await outbox()).toEqual([]);
  await server.database.pool.query(
    `update location set fault_library_alert_flags = '{"underload":true,"overVoltage":false}' where id = $1`,
    [place.locationId],
  );
  await report("underload");
  await report("overVoltage");
  expect((await outbox()).map(({ kind }) => kind)).toEqual(["FAULT_underload"]);
});

test("a paused node's message is written down and not sent; NFM-09 a deployment issue keeps it from the customer", async () => {
  await addSubscriber("ann");
  await server.database.pool.query("update node set pause_notifications = true where serial_number = $1", [serial]);
  await report();
  expect(await outbox()).toMatchObject([{ isDue: false, reason: "Paused: notifications of this node are paused" }]);
  await server.database.pool.query("delete from notification; update node set pause_notifications = false, deployment_issue = true");
  await report();
  expect(await outbox()).toMatchObject([{ isDue: false, to: [], reason: "Deployment issue" }]);
  await server.database.pool.query("delete from notification");
  await addSubscriber("insider", { internal_user: true });
  await report();
  expect(await outbox()).toMatchObject([{ isDue: true, to: [], bcc: ["insider@mail.example"], reason: null }]);
});

test("a node at no location, or a kind without a flag, makes no message", async () => {
  await report("somethingElse");
  await server.database.pool.query("delete from node_assignment");
  await report();
  expect(await outbox()).toEqual([]);
});
