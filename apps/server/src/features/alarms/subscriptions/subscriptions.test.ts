import type { FacilitySubscriptions, UserSubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
let place: TestPlace;
let elsewhere: TestPlace;
let user: number;
let internal: number;
beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("ann");
  await server.addAdministrator("sys", ["systemAdministrator"]);
  token = await server.login("ann");
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query("delete from activity; delete from app_user where not is_administrator; delete from location; delete from facility");
  place = await addPlace(pool);
  elsewhere = await addPlace(pool, "UTC", "Brine Works");
  user = await server.addUser("rowan", place.customerId, { receive_daily_report: true });
  internal = await server.addUser("inge", elsewhere.customerId, { internal_user: true });
});

const send = (method: "GET" | "PATCH", url: string, payload?: object, as = token) =>
  server.call({ method, url: `/api${url}`, token: as, ...(payload ? { payload } : {}) });
const said = ({ status, json }: Awaited<ReturnType<typeof send>>) => [status, json["errorMessage"]];
const ofUser = async (id: number) => (await send("GET", `/users/${id}/subscriptions`)).json["data"] as UserSubscriptions;
const ofFacility = async (id: number) => (await send("GET", `/facilities/${id}/subscriptions`)).json["data"] as FacilitySubscriptions;
const frequencies = ({ facilities }: UserSubscriptions) => facilities.map(({ facilityId, frequency }) => [facilityId, frequency]);
const change = (of: string, change: object, as?: string) =>
  send("PATCH", `/${of}/subscriptions`, { changes: [{ frequency: "Daily", previous: null, ...change }] }, as);

test("a user is subscribed from either side; both lists and the facility's page say so, and one activity does", async () => {
  expect(await ofUser(user)).toMatchObject({
    username: "rowan",
    receiveDailyReport: true,
    facilities: [{ facilityId: place.facilityId, facilityName: "North Works", isOwnCustomer: true, frequency: null }],
  });
  const answer = await change(`users/${user}`, { facilityId: place.facilityId });
  expect([answer.status, frequencies(answer.json["data"] as UserSubscriptions)]).toEqual([200, [[place.facilityId, "Daily"]]]);
  expect(
    (await ofFacility(place.facilityId)).users.map(({ username, frequency, isOwnCustomer }) => [username, frequency, isOwnCustomer]),
  ).toEqual([
    ["rowan", "Daily", true],
    ["inge", null, false],
  ]);
  const both = await send("PATCH", `/facilities/${place.facilityId}/subscriptions`, {
    changes: [
      { userId: user, frequency: "Weekly", previous: "Daily" },
      { userId: internal, frequency: "Immediate", previous: null },
    ],
  });
  expect(both.status).toBe(200);
  const overview = (await send("GET", `/facilities/${place.facilityId}/overview`)).json["data"] as { subscribers: object[] };
  expect(overview.subscribers).toMatchObject([
    { username: "rowan", frequency: "Weekly" },
    { username: "inge", frequency: "Immediate" },
  ]);
  expect((await change(`users/${user}`, { facilityId: place.facilityId, frequency: null, previous: "Weekly" })).status).toBe(200);
  expect(frequencies(await ofUser(user))).toEqual([[place.facilityId, null]]);
  const { rows } = await server.database.pool.query(
    "select actor, object, before, after from activity where action = 'PATCH_SUBSCRIPTIONS' order by id",
  );
  expect(rows).toEqual([
    { actor: "ann", object: `user/${user}`, before: { "North Works": "none" }, after: { "North Works": "Daily" } },
    {
      actor: "ann",
      object: `facility/${place.facilityId}`,
      before: { rowan: "Daily", inge: "none" },
      after: { rowan: "Weekly", inge: "Immediate" },
    },
    { actor: "ann", object: `user/${user}`, before: { "North Works": "Weekly" }, after: { "North Works": "none" } },
  ]);
});

test("what someone else changed meanwhile is not overwritten, and then nothing of the save is done", async () => {
  const second = (
    await server.database.pool.query<{ id: number }>(
      "insert into facility (customer_id, name, site_name) values ($1, 'South Works', 'South') returning id",
      [place.customerId],
    )
  ).rows[0]!.id;
  await change(`facilities/${place.facilityId}`, { userId: user, frequency: "Weekly" });
  const late = await send("PATCH", `/users/${user}/subscriptions`, {
    changes: [
      { facilityId: second, frequency: "Daily", previous: null },
      { facilityId: place.facilityId, frequency: "Daily", previous: null },
    ],
  });
  expect(said(late)).toEqual([409, "Someone else changed the subscription of rowan to North Works meanwhile: it is Weekly now"]);
  expect(frequencies(await ofUser(user))).toEqual([
    [place.facilityId, "Weekly"],
    [second, null],
  ]);
  // What they wanted to have is no conflict.
  const same = { facilityId: place.facilityId, frequency: "Weekly", previous: null };
  expect((await send("PATCH", `/users/${user}/subscriptions`, { changes: [same] })).status).toBe(200);
  // From both sides at the same moment: one of them is first.
  const answers = await Promise.all([
    change(`users/${user}`, { facilityId: second, frequency: "Daily" }),
    change(`facilities/${second}`, { userId: user, frequency: "Immediate" }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test("only internal users subscribe to another customer's facilities; what is left of one that moved away can be ended", async () => {
  expect(said(await change(`users/${user}`, { facilityId: elsewhere.facilityId }))).toEqual([
    409,
    "North Works is not a facility of rowan's customer: only an internal user subscribes to others'",
  ]);
  expect((await change(`users/${internal}`, { facilityId: place.facilityId })).status).toBe(200);
  expect((await ofUser(internal)).facilities.map(({ isOwnCustomer, frequency }) => [isOwnCustomer, frequency])).toEqual([
    [true, null],
    [false, "Daily"],
  ]);
  await server.database.pool.query("update app_user set internal_user = false where id = $1", [internal]);
  expect((await change(`users/${internal}`, { facilityId: place.facilityId, frequency: null, previous: "Daily" })).status).toBe(200);
});

test("subscriptions of administrators are changed by themselves and by system administrators; what is gone is said to be", async () => {
  const { rows } = await server.database.pool.query<{ id: number }>(
    "update app_user set internal_user = true where username = 'sys' returning id",
  );
  const id = rows[0]!.id;
  const [sys, facilityId] = [await server.login("sys"), place.facilityId];
  expect(said(await change(`users/${id}`, { facilityId }))).toEqual([
    403,
    "sys is an administrator; changing that account needs the role systemAdministrator",
  ]);
  expect((await change(`users/${id}`, { facilityId }, sys)).status).toBe(200);
  expect((await send("GET", "/users/999999/subscriptions")).status).toBe(404);
  expect((await send("GET", "/facilities/999999/subscriptions")).status).toBe(404);
  expect((await change(`users/${user}`, { facilityId: 999_999 })).status).toBe(404);
});

test("what an administrator gets is changed by themselves and by system administrators", async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ id: number }>(
    "update app_user set internal_user = true where username in ('ann', 'sys') returning id",
  );
  const [ann, sys] = rows.map(({ id }) => id) as [number, number];
  const subscribe = async (id: number) => (await change(`users/${id}`, { facilityId: place.facilityId })).status;
  expect([await subscribe(ann), await subscribe(sys)]).toEqual([200, 403]);
  const other = await change(
    `users/${ann}`,
    { facilityId: place.facilityId, frequency: "Weekly", previous: "Daily" },
    await server.login("sys"),
  );
  expect(other.status).toBe(200);
});
