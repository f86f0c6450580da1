import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "#src/admin/commands.ts";
import { createSecretsKey } from "#db/secrets-key.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  await server.database.pool.query("insert into customer (code, name) values ('alder', 'Alder Mills')");
  token = await server.login(await server.addAdministrator("teller", ["systemAdministrator"]));
});
afterAll(() => server.stop());

let people = 0;
const fresh = (fields: object = {}) => {
  const username = `person${++people}`;
  return {
    username,
    firstName: "Some",
    lastName: "Body",
    email: `${username}@alder.example`,
    customerCode: "alder",
    password: "Velvet-Quarry77",
    ...fields,
  };
};
const send = async (method: "POST" | "PATCH", url: string, payload: object) => {
  const { status, json } = await server.call({ method, url, token, payload });
  return { status, said: json["errorMessage"], id: (json["data"] as { id?: number } | undefined)?.id };
};
const add = (fields: object = {}) => send("POST", "/api/users", fresh(fields));
const isUsername = { status: 409, said: "This e-mail is the username of another user" };
const isEmail = { status: 409, said: "This username is the e-mail of another user" };

describe("A-44 a username is no one else's e-mail", () => {
  test("A-44 in no way that users are made or changed, in both directions and in any case", async () => {
    const { id } = await add({ username: "mira@alder.example", email: "mira@alder.example" });
    expect(id).toBeDefined();
    const other = (await add()).id;
    for (const name of ["teller@busbar.example", "TELLER@Busbar.Example"]) {
      expect(await add({ username: name })).toMatchObject(isEmail);
      expect(await send("PATCH", `/api/users/${other}`, { username: name })).toMatchObject(isEmail);
    }
    for (const email of ["mira@alder.example", "Mira@Alder.Example"]) expect((await add({ email })).status).toBe(409);
    await send("PATCH", `/api/users/${id}`, { email: "elsewhere@alder.example" });
    expect(await add({ email: "Mira@Alder.example" })).toMatchObject(isUsername);
    expect(await send("PATCH", `/api/users/${other}`, { email: "mira@alder.example" })).toMatchObject(isUsername);
    // The letter K of kelvin becomes a k in a username.
    await add({ email: "kim@alder.example" });
    expect(await add({ username: "\u212Aim@alder.example" })).toMatchObject(isEmail);
  });

  test("A-44 a name that no one has any more is free", async () => {
    const { id } = await add({ email: "free@alder.example" });
    expect((await send("PATCH", `/api/users/${id}`, { email: "moved@alder.example" })).status).toBe(200);
    const next = await add({ username: "free@alder.example" });
    expect(next.status).toBe(200);
    await server.database.pool.query("delete from app_user where id = $1", [next.id]);
    expect((await add({ email: "free@alder.example" })).status).toBe(200);
  });

  test("A-44 of two at the same moment one gets the name", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0 ? add({ username: "race@alder.example" }) : add({ email: "race@alder.example" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("A-44 nor on the command line", async () => {
    await add({ username: "shell@alder.example" });
    const create = (email: string) =>
      commands.get("create")?.run({
        pool: server.database.pool,
        config: { mqttUrl: undefined, nodeMqttUrl: "" },
        secretsKey: createSecretsKey(`${server.dataDir}/secrets.key`),
        subject: "shellperson",
        options: { email },
        askSecret: async () => "Correct-horse-2",
        print: () => {},
      });
    await expect(create("Shell@alder.example")).rejects.toThrow("This e-mail is the username of another user");
    await expect(create("\u212Aim@alder.example")).rejects.toThrow("--email is an e-mail address");
  });
});

test("A-44 names that two users share since before are named in the log, so that someone renames one", async () => {
  await server.addAdministrator("older");
  const { id } = await add();
  await add({ username: "own@alder.example", email: "own@alder.example" });
  await server.database.pool.query("alter table app_user disable trigger claim_login_names");
  await server.database.pool.query("update app_user set username = 'older@busbar.example' where id = $1", [id]);
  await server.database.pool.query("alter table app_user enable trigger claim_login_names");
  const started = await createTestApp({ DATA_DIR: server.dataDir }, { clock: server.clock, database: server.database });
  await started.stop();
  expect(started.logText()).toContain("the username older@busbar.example is the e-mail of older: rename one of them");
  expect(started.logText().match(/the username \S+ is the e-mail/g)).toHaveLength(1);
});

test("A-44 a password set for one user lifts the limit of no one else, and both names of an account are one count", async () => {
  await server.addAdministrator("victim");
  const guess = async (who: object) =>
    (
      await server.call({
        method: "POST",
        url: "/api/sessions/administrator",
        payload: { ...who, password: "wrong" },
        remoteAddress: "203.0.113.9",
      })
    ).status;
  for (let count = 0; count < 5; count++)
    expect(await guess(count % 2 === 0 ? { username: "victim" } : { email: "Victim@busbar.example" })).toBe(401);
  const { id } = await add();
  // As it may be in a database that was made before.
  await server.database.pool.query("alter table app_user disable trigger claim_login_names");
  await server.database.pool.query("update app_user set username = 'victim@busbar.example' where id = $1", [id]);
  await server.database.pool.query("alter table app_user enable trigger claim_login_names");
  expect((await send("PATCH", `/api/users/${id}/admin/password`, { newPassword: "Granite-Willow88" })).status).toBe(200);
  expect([await guess({ username: "victim" }), await guess({ email: "victim@busbar.example" })]).toEqual([429, 429]);
  // Other fields of such a user can still be saved; the shared name cannot be chosen again.
  expect((await send("PATCH", `/api/users/${id}`, { firstName: "Other" })).status).toBe(200);
  expect((await send("PATCH", `/api/users/${id}`, { username: "another" })).status).toBe(200);
  expect(await send("PATCH", `/api/users/${id}`, { username: "victim@busbar.example" })).toMatchObject(isEmail);
});
