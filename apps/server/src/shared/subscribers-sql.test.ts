import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addPlace, type TestPlace } from "#testing/test-world.ts";
import { everySubscriberSql, subscribersSql, type NoticePreference } from "./subscribers-sql.ts";

let database: TestDatabase;
let place: TestPlace;
let other: TestPlace;
beforeAll(async () => {
  database = await createTestDatabase();
  place = await addPlace(database.pool, "UTC", "Alder");
  other = await addPlace(database.pool, "UTC", "Birch");
  const preferences: NoticePreference[] = [
    "receive_fault_library_notifications",
    "receive_connectivity_notifications",
    "receive_daily_report",
  ];
  const addUser = async (name: string, customerId: number | null, columns: Record<string, unknown>, frequency?: string, at = place) => {
    const fields = { ...Object.fromEntries(preferences.map((each) => [each, true])), ...columns };
    const names = Object.keys(fields);
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into app_user (username, email, customer_id, ${names.join(", ")}) values ($1, $1 || '@x', $2, ${names.map((_, index) => `$${index + 3}`).join(", ")}) returning id`,
      [name, customerId, ...Object.values(fields)],
    );
    if (frequency !== undefined)
      await database.pool.query("insert into facility_subscription (user_id, facility_id, frequency) values ($1, $2, $3)", [
        rows[0]!.id,
        at.facilityId,
        frequency,
      ]);
  };
  const own = place.customerId;
  await addUser("zoe", own, {}, "Immediate");
  await addUser("all", own, { auto_subscribe_all_facilities: true });
  await addUser("alldaily", own, { auto_subscribe_all_facilities: true }, "Daily");
  await addUser("daily", own, {}, "Daily");
  await addUser("weekly", own, {}, "Weekly");
  await addUser("none", own, {});
  await addUser("elsewhere", own, {}, "Immediate", other);
  await addUser("suspended", own, { active_status: "SUSPENDED" }, "Immediate");
  for (const preference of preferences) await addUser(`no_${preference}`, own, { [preference]: false }, "Immediate");
  await addUser("moved", other.customerId, {}, "Immediate");
  await addUser("movedall", other.customerId, { auto_subscribe_all_facilities: true });
  await addUser("staff", null, { internal_user: true }, "Immediate");
  await addUser("staffelsewhere", other.customerId, { internal_user: true }, "Immediate");
  await addUser("staffall", null, { internal_user: true, auto_subscribe_all_facilities: true });
});
afterAll(() => database.stop());

const addresses = async (sql: string) => {
  const { rows } = await database.pool.query<{ emails: string[] }>(`select ${sql} as emails from facility f where f.id = $1`, [
    place.facilityId,
  ]);
  return rows[0]!.emails.map((email) => email.replace("@x", ""));
};

test.each([
  ["receive_fault_library_notifications", ["no_receive_connectivity_notifications", "no_receive_daily_report"]],
  ["receive_connectivity_notifications", ["no_receive_daily_report", "no_receive_fault_library_notifications"]],
  ["receive_daily_report", ["no_receive_connectivity_notifications", "no_receive_fault_library_notifications"]],
] as const)("who has %s and a subscription hears of a facility, by address; a digest is another matter", async (preference, others) => {
  expect(await addresses(subscribersSql(preference, false))).toEqual(["all", ...others, "zoe"].toSorted());
  expect(await addresses(everySubscriberSql(preference, false))).toEqual(
    ["all", "alldaily", "daily", ...others, "weekly", "zoe"].toSorted(),
  );
  expect(await addresses(subscribersSql(preference, true))).toEqual(["staff", "staffelsewhere"]);
});
