import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("accountant", ["accountsAdministrator"]));
});
afterAll(() => server.stop());

const ask = (by?: string) => server.call({ method: "GET", url: "/api/subscriptions/report", ...(by === undefined ? {} : { token: by }) });
const id = async (text: string, values: unknown[]): Promise<number> =>
  (await server.database.pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]!.id;
const addUser = (username: string, lastName: string, customer: number, columns = "") =>
  id(
    `insert into app_user (username, email, first_name, last_name, customer_id${columns && ", "}${columns.split("=")[0]}) values ($1, $1 || '@x.example', 'Kim', $2, $3${columns && `, ${columns.split("=")[1]}`})`,
    [username, lastName, customer],
  );

test("SEC-02 needs accountsAdministrator", async () => {
  expect((await ask()).status).toBe(401);
  for (const roles of [[], ["systemAdministrator"]])
    expect((await ask(await server.login(await server.addAdministrator(`p${roles.length}`, roles)))).status).toBe(403);
});

test("REP-04 a row for each user and frequency; all facilities count for who subscribes to all", async () => {
  const customer = await id("insert into customer (code, name) values ('rowan', 'Rowan Mills')", []);
  const elsewhere = await id("insert into customer (code, name) values ('ash', 'Ash Mills')", []);
  const facility = (name: string, of = customer) =>
    id("insert into facility (customer_id, name, site_name) values ($1, $2, $2)", [of, name]);
  const [north, south, foreign] = [await facility("north Works"), await facility("South Works"), await facility("Far Works", elsewhere)];
  for (const name of ["Zinc Works", "abbey Works"]) await facility(name);
  const subscribe = (user: number, at: number, frequency: string) =>
    server.database.pool.query("insert into facility_subscription values ($1, $2, $3)", [user, at, frequency]);
  const some = await addUser("some", "Berg", customer);
  await subscribe(some, south, "Daily");
  await subscribe(some, north, "Weekly");
  await subscribe(some, foreign, "Daily"); // of a customer that is not theirs any more
  const all = await addUser("all", "Arden", customer, "auto_subscribe_all_facilities=true");
  await subscribe(all, south, "Weekly");
  await addUser("none", "Colt", customer);
  const suspended = await addUser("suspended", "Dale", customer, "active_status='SUSPENDED'");
  await subscribe(suspended, south, "Daily");
  const person = (username: string, lastName: string) => ({ firstName: "Kim", lastName, username, customerName: "Rowan Mills" });
  expect((await ask(token)).json["data"]).toEqual([
    {
      ...person("all", "Arden"),
      frequency: "Immediate",
      subscribedFacilityList: [{ name: "abbey Works" }, { name: "north Works" }, { name: "Zinc Works" }],
    },
    { ...person("all", "Arden"), frequency: "Weekly", subscribedFacilityList: [{ name: "South Works" }] },
    { ...person("some", "Berg"), frequency: "Daily", subscribedFacilityList: [{ name: "South Works" }] },
    { ...person("some", "Berg"), frequency: "Weekly", subscribedFacilityList: [{ name: "north Works" }] },
  ]);
});
