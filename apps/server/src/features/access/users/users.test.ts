import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { addPlace } from "#testing/test-world.ts";
import { inTransaction } from "#db/transaction.ts";
import { createUsersStore } from "./users.store.ts";

let server: TestApp;
let smtp: TestMailServer;
let staff: string;
let boss: string;
let code: string;
let customerId: number;
let made = 0;
beforeAll(async () => {
  smtp = await startTestMailServer();
  server = await createTestApp({ SMTP_URL: smtp.url, ANALYTICS_URL: "https://analytics.busbar.example/portal?lang=en" });
  staff = await server.login(await server.addAdministrator("plainstaff"));
  boss = await server.login(await server.addAdministrator("theboss", ["systemAdministrator"]));
  await server.addAdministrator("otherboss", ["systemAdministrator"]);
  ({ customerId } = await addPlace(server.database.pool, "America/Chicago", "Alder Pumping"));
  code = (await server.database.pool.query<{ code: string }>("select code from customer where id = $1", [customerId])).rows[0]?.code ?? "";
});
afterAll(async () => {
  await server.stop();
  await smtp.stop();
});
beforeEach(() => {
  smtp.behaviour = "take";
  smtp.messages.length = 0;
});

const send = async (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object, token = staff) => {
  const { status, json } = await server.call({ method, url, token, ...(payload ? { payload } : {}) });
  return { status, data: json["data"] as Record<string, unknown>, message: (json["errorMessage"] as string | undefined) ?? "" };
};
const says = async (...call: Parameters<typeof send>) => {
  const { status, message } = await send(...call);
  return message === "" ? String(status) : `${status} ${message}`;
};
const fresh = (change: object = {}) => {
  made++;
  return {
    username: `user${made}`,
    firstName: "Rowan",
    lastName: "Ashdown",
    email: `user${made}@alder.example`,
    customerCode: code,
    password: "Velvet-Quarry7",
    ...change,
  };
};
const add = async (change: object = {}) => Number((await send("POST", "/api/users", fresh(change))).data["id"]);
const idOf = async (username: string) =>
  (await server.database.pool.query<{ id: number }>("select id from app_user where username = $1", [username])).rows[0]?.id ?? 0;

test("every call needs a session", async () => {
  for (const [method, url] of [
    ["GET", "/api/users"],
    ["POST", "/api/users"],
    ["PATCH", "/api/users/1"],
    ["DELETE", "/api/users/1/2fa/123456"],
    ["GET", "/api/users/1/sessions"],
    ["PATCH", "/api/users/1/admin/password"],
    ["POST", "/api/users/1/accountnotification"],
    ["GET", "/api/v2/users/1/url/analytics"],
    ["DELETE", "/api/users/1/secondfactor/2fa/123456"],
    ["GET", "/api/customers/names"],
  ] as const)
    expect([url, (await server.call({ method, url })).status]).toEqual([url, 401]);
});

describe("USR-03 adding a user", () => {
  test("gives what was not said its default and lists it", async () => {
    const request = fresh();
    const { status, data } = await send("POST", "/api/users", { ...request, passwordConfirm: "Velvet-Quarry7" });
    const { password: _, ...rest } = request;
    const expected = {
      ...rest,
      id: expect.any(Number),
      receiveDailyReport: false,
      accessAnalytics: false,
      analyticsEarlyAccess: false,
      demoUser: false,
      internalUser: false,
      receiveConnectivityNotifications: true,
      receiveFaultLibraryNotifications: true,
      autoSubscribeAllFacilities: false,
      activeStatus: "ACTIVE",
      roles: [],
      administrator: false,
      twoFactorEnrolled: false,
      hasPassword: true,
      revision: 1,
    };
    expect([status, data]).toEqual([200, expected]);
    const { data: list } = await send("GET", "/api/users");
    expect((list as unknown as { username: string }[]).find(({ username }) => username === request.username)).toEqual(expected);
    const names = await send("GET", "/api/customers/names");
    expect(names.data).toContainEqual({ id: customerId, code, name: "Alder Pumping" });
  });

  test("keeps every flag that was said, and records the activity without the password", async () => {
    const flags = { receiveDailyReport: true, accessAnalytics: true, analyticsEarlyAccess: true, demoUser: true, internalUser: true };
    const off = { receiveConnectivityNotifications: false, receiveFaultLibraryNotifications: false, autoSubscribeAllFacilities: true };
    const { data } = await send("POST", "/api/users", fresh({ ...flags, ...off }));
    expect(data).toMatchObject({ ...flags, ...off });
    const { rows } = await server.database.pool.query("select actor, action, object, after::text from activity order by id desc limit 1");
    expect(rows[0]).toMatchObject({ actor: "plainstaff", action: "POST_USER", object: `user/${String(data["id"])}` });
    expect(JSON.stringify(rows[0])).not.toContain("Velvet-Quarry7");
    expect(server.logText()).not.toContain("Velvet-Quarry7");
  });
});

describe("USR-04 rules", () => {
  const username = "username: A username begins with a lowercase letter";
  test.each([
    [{ username: "a" }, username],
    [{ username: "1ab" }, username],
    [{ username: "a b" }, username],
    [{ username: "a-b" }, username],
    [{ username: `a${"b".repeat(64)}` }, username],
    [{ firstName: "" }, "firstName: First name has letters"],
    [{ firstName: "A" }, "firstName: First name has letters"],
    [{ firstName: "A'" }, "firstName: First name has letters"],
    [{ firstName: "'An" }, "firstName: First name has letters"],
    [{ firstName: "An2" }, "firstName: First name has letters"],
    [{ lastName: "O-Neil" }, "lastName: Last name has letters"],
    [{ email: "no-address" }, "email: This is not an e-mail address"],
    [{ email: "a@b" }, "email: This is not an e-mail address"],
    [{ email: "a@b.example\r\nBcc: x@y.example" }, "email: This is not an e-mail address"],
    [{ password: "Ab3-xyq" }, "password: A password has at least 8 characters"],
    [{ password: "Velvet Quarry7" }, "password: A password is made of letters"],
    [{ password: "Velvet$Quarry7" }, "password: A password is made of letters"],
    [{ password: "Password123!" }, "password: This password is too easy to guess"],
    [{ password: "Rowan-ashdown1" }, "password: This password is too easy to guess"],
    [{ passwordConfirm: "Velvet-Quarry8" }, "passwordConfirm: Passwords don't match"],
    [{ customerCode: "" }, "customerCode: Customer is required"],
    [{ customerCode: "nosuch" }, "customerCode: there is no customer with the code nosuch"],
    [{ activeStatus: "SUSPENDED" }, "activeStatus: A new user is ACTIVE"],
    [{ demoUser: "yes" }, "demoUser: demoUser is true or false"],
    [{ roles: ["systemAdministrator"] }, "roles: special privileges cannot be given here"],
    [{ id: 1 }, "id: id is given by the server"],
    [{ administrator: true }, "administrator: "],
    [{ shoeSize: 44 }, "shoeSize: this call has no such field"],
  ])("%j is refused", async (change, sentence) => {
    const before = await send("GET", "/api/users");
    expect(await says("POST", "/api/users", fresh(change))).toMatch(`400 ${sentence}`);
    expect((await send("GET", "/api/users")).data).toEqual(before.data);
  });

  test.each([
    [{ username: "ab" }, { username: "ab" }],
    [{ username: "Rowan.A_1@X" }, { username: "rowan.a_1@x" }],
    [{ username: `b${"b".repeat(63)}` }, {}],
    [{ firstName: "Jo" }, { firstName: "Jo" }],
    [{ firstName: "D'Arcy Ann" }, { firstName: "D'Arcy Ann" }],
    [{ lastName: "Núñez" }, { lastName: "Núñez" }],
    [{ password: "aB3#.!&%" }, {}],
    [{ password: "zq+-_K7x" }, {}],
  ])("%j is taken", async (change, shown) => {
    const { status, data } = await send("POST", "/api/users", fresh(change));
    expect(status).toBe(200);
    expect(data).toMatchObject(shown);
  });

  test("username and e-mail are one person's only, in whatever letters, also for twenty at once", async () => {
    const request = fresh();
    await send("POST", "/api/users", request);
    expect(await says("POST", "/api/users", fresh({ username: request.username.toUpperCase() }))).toBe(
      "409 There is a user with this username already",
    );
    expect(await says("POST", "/api/users", fresh({ email: request.email.toUpperCase() }))).toBe(
      "409 There is a user with this e-mail already",
    );
    const same = fresh();
    const answers = await Promise.all(Array.from({ length: 8 }, () => says("POST", "/api/users", same)));
    expect(answers.filter((answer) => answer === "200")).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("409"))).toHaveLength(7);
  });
});

describe("USR-03 changing a user", () => {
  test("changes what was said only, counts the revision, records before and after", async () => {
    const id = await add();
    const { data } = await send("PATCH", `/api/users/${id}`, { firstName: "Linden", internalUser: true, revision: 1 });
    expect(data).toMatchObject({ firstName: "Linden", lastName: "Ashdown", internalUser: true, revision: 2, customerCode: code });
    const { rows } = await server.database.pool.query<{ before: object; after: object }>(
      "select description, before, after from activity where action = 'PATCH_USER' order by id desc limit 1",
    );
    expect(rows[0]).toMatchObject({
      description: expect.stringMatching(/^Changed user \w+$/),
      before: { firstName: "Rowan", internalUser: false },
      after: { firstName: "Linden", internalUser: true },
    });
  });

  test("saving what is there already changes nothing, so that no one else's editing is in vain", async () => {
    const id = await add();
    const recorded = async () =>
      Number((await server.database.pool.query("select count(*) from activity where action = 'PATCH_USER'")).rows[0].count);
    const before = await recorded();
    for (const same of [{}, { firstName: "Rowan", activeStatus: "ACTIVE", customerCode: code, revision: 1 }])
      expect((await send("PATCH", `/api/users/${id}`, same)).data).toMatchObject({ firstName: "Rowan", revision: 1 });
    expect(await recorded()).toBe(before);
    expect(await says("PATCH", `/api/users/${id}`, { lastName: "Ashby", revision: 1 })).toBe("200");
  });

  test("A-21 the whole user as the console of the texts sends it is taken; what it may not write is refused by name", async () => {
    const id = await add();
    const { data } = await send("PATCH", `/api/users/${id}`, {});
    expect(await says("PATCH", `/api/users/${id}`, { ...data, customerName: "x", password: "", passwordConfirm: "" })).toBe("200");
    expect(await says("PATCH", `/api/users/${id}`, { administrator: true })).toBe("400 administrator: cannot be changed here");
    expect(await says("PATCH", `/api/users/${id}`, { password: "Velvet-Quarry77" })).toMatch("400 password: a password is set with PATCH");
    expect(await says("PATCH", `/api/users/${id}`, { roles: ["systemAdministrator"] })).toBe("400 roles: cannot be changed here");
    expect(await says("PATCH", `/api/users/${id}`, { id: id + 1 })).toBe("400 id: cannot be changed here");
    for (const field of ["isAdministrator", "is_administrator", "password_hash"])
      expect(await says("PATCH", `/api/users/${id}`, { [field]: true })).toBe(`400 ${field}: this call has no such field`);
    const { rows } = await server.database.pool.query(
      "select is_administrator, roles, password_hash like '$argon2id$%' as kept from app_user where id = $1",
      [id],
    );
    expect(rows).toEqual([{ is_administrator: false, roles: [], kept: true }]);
  });

  test("someone else's change meanwhile is not overwritten", async () => {
    const id = await add();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => says("PATCH", `/api/users/${id}`, { lastName: `Ash${"abcdefghij"[index]}`, revision: 1 })),
    );
    expect(answers.filter((answer) => answer === "200")).toHaveLength(1);
    const refusal = /^409 \w+ changed last name of user user\d+ meanwhile\. Load it again and repeat your change$/;
    expect(answers.filter((answer) => refusal.test(answer))).toHaveLength(9);
    // Another field is not theirs.
    expect(await says("PATCH", `/api/users/${id}`, { firstName: "Ash", revision: 1 })).toBe("200");
  });

  test("the same rules hold; a user who is not there is named", async () => {
    const id = await add();
    expect(await says("PATCH", `/api/users/${id}`, { username: "x" })).toMatch(/^400 username: /);
    expect(await says("PATCH", `/api/users/${id}`, { customerCode: "" })).toBe("400 customerCode: a user belongs to a customer");
    expect(await says("PATCH", `/api/users/${id}`, { username: "plainstaff" })).toBe("409 There is a user with this username already");
    expect(await says("PATCH", "/api/users/999999999", {})).toBe("404 User was not found");
    expect(await says("PATCH", "/api/users/0", {})).toMatch(/^400 id: /);
  });

  test("an administrator is changed by a systemAdministrator only", async () => {
    const id = await idOf("otherboss");
    const refused = "403 otherboss is an administrator; changing that account needs the role systemAdministrator";
    expect(await says("PATCH", `/api/users/${id}`, { email: "mine@evil.example" })).toBe(refused);
    expect(await says("PATCH", `/api/users/${id}/admin/password`, { newPassword: "Velvet-Quarry77" })).toBe(refused);
    expect(await says("DELETE", `/api/users/${id}/2fa/123456`)).toBe(refused);
    expect(await says("PATCH", `/api/users/${id}`, { internalUser: true, roles: ["systemAdministrator"] }, boss)).toBe("200");
  });
});

describe("USR-11 SUSPENDED", () => {
  test("ends the sessions at once and lets no one sign in", async () => {
    const token = await server.login(await server.addAdministrator("leaver"));
    const id = await idOf("leaver");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(200);
    expect(await says("PATCH", `/api/users/${id}`, { activeStatus: "SUSPENDED" }, boss)).toBe("200");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(401);
    const { rows: said } = await server.database.pool.query(
      "select description from activity where action = 'PATCH_USER' order by id desc limit 1",
    );
    expect(said).toEqual([{ description: "Suspended user leaver" }]);
    const login = () =>
      server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username: "leaver", password: testPassword } });
    expect((await login()).status).toBe(401);
    expect(await says("PATCH", `/api/users/${id}`, { activeStatus: "ACTIVE" }, boss)).toBe("200");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(401);
    expect((await login()).status).toBe(200);
  });

  test("no one suspends themselves or the last systemAdministrator", async () => {
    expect(await says("PATCH", `/api/users/${await idOf("theboss")}`, { activeStatus: "SUSPENDED" }, boss)).toBe(
      "403 You cannot suspend yourself",
    );
  });
});

test("A-63 who can steer the system is an active administrator with that role, and no demo user", async () => {
  const { pool } = server.database;
  for (const [username, change] of [
    ["resting", "active_status = 'SUSPENDED'"],
    ["showing", "demo_user = true"],
    ["powerless", "roles = '{accountsAdministrator}'"],
  ] as const) {
    await server.addAdministrator(username, ["systemAdministrator"]);
    await pool.query(`update app_user set ${change} where username = $1`, [username]);
  }
  await server.addUser("notstaff", customerId, { roles: ["systemAdministrator"] });
  const found = await inTransaction(pool, (client) => createUsersStore(pool).lockSystemAdministrators(client));
  expect(found).toEqual([await idOf("theboss"), await idOf("otherboss")]);
  await pool.query("delete from app_user where username in ('resting', 'showing', 'powerless', 'notstaff')");
});

test.each([{ activeStatus: "SUSPENDED" }, { demoUser: true }])(
  "of two systemAdministrators who give each other %j one stays",
  async (change) => {
    const other = await server.login("otherboss");
    const ids = [await idOf("otherboss"), await idOf("theboss")];
    const answers = await Promise.all([boss, other].map((token, index) => says("PATCH", `/api/users/${ids[index]}`, change, token)));
    expect(answers.filter((answer) => answer === "200")).toHaveLength(1);
    const { pool } = server.database;
    expect(
      (await pool.query("select from app_user where id = any ($1) and active_status = 'ACTIVE' and not demo_user", [ids])).rowCount,
    ).toBe(1);
    await pool.query("update app_user set active_status = 'ACTIVE', demo_user = false where id = any ($1)", [ids]);
    boss = await server.login("theboss");
  },
);

describe("USR-05 setting a password", () => {
  test("signs the person out, makes the new one the only one, notifies them by mail", async () => {
    const token = await server.login(await server.addAdministrator("forgetful"));
    const id = await idOf("forgetful");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(200);
    expect(await says("PATCH", `/api/users/${id}/admin/password`, { newPassword: "Velvet-Quarry77" }, boss)).toBe("200");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(401);
    const login = async (password: string) =>
      (await server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username: "forgetful", password } })).status;
    expect([await login(testPassword), await login("Velvet-Quarry77")]).toEqual([401, 200]);
    await server.context.mail.deliverDue(new AbortController().signal);
    expect(smtp.messages.map(({ recipients, email }) => [recipients, email.subject])).toEqual([
      [["forgetful@busbar.example"], "Busbar: your password was changed"],
    ]);
    expect(smtp.messages[0]?.raw).not.toContain("Velvet");
  });

  test("is not set so for oneself: that asks for the present one", async () => {
    const url = `/api/users/${await idOf("theboss")}/admin/password`;
    expect(await says("PATCH", url, { newPassword: "Velvet-Quarry77" }, boss)).toMatch(
      /^403 Change your own password where your present one/,
    );
    expect(await says("GET", "/api/account", undefined, boss)).toBe("200");
  });

  test("asks more of an administrator", async () => {
    expect(await says("PATCH", `/api/users/${await idOf("forgetful")}/admin/password`, { newPassword: "Velvet-Qua7" }, boss)).toBe(
      "400 newPassword: An administrator's password has at least 12 characters.",
    );
    expect(await says("PATCH", `/api/users/${await add()}/admin/password`, { newPassword: "Velvet-Qua7" })).toBe("200");
    expect(await says("PATCH", `/api/users/${await add()}/admin/password`, { newPassword: "password1" })).toMatch(
      /^400 newPassword: .*too easy/,
    );
    expect(await says("PATCH", "/api/users/999999999/admin/password", { newPassword: "Velvet-Quarry7" })).toBe("404 User was not found");
  });
});

test("A-63 no password is made of what others know of its owner", async () => {
  const owner = { username: "zebedee", firstName: "Marmaduke", lastName: "Quigley", email: "post@halibuts.example" };
  const words = ["Zebedee", "Marmaduke", "Quigley", "Halibuts", code];
  for (const word of words)
    expect([word, await says("POST", "/api/users", fresh({ ...owner, password: `${word}-2026` }))]).toEqual([
      word,
      expect.stringContaining("too easy to guess"),
    ]);
  const id = await add(owner);
  for (const word of [...words, "Pumping"])
    expect([word, await says("PATCH", `/api/users/${id}/admin/password`, { newPassword: `${word}-2026` })]).toEqual([
      word,
      expect.stringContaining("too easy to guess"),
    ]);
});

describe("USR-06 deleting", () => {
  test("needs a right 2FA code of the caller, which is spent only when all else is right", async () => {
    const id = await add();
    expect(await says("DELETE", `/api/users/${id}/2fa/12-34`)).toBe("400 code: A 2FA code is letters and digits only");
    const passcode = await server.passcode("plainstaff");
    expect(await says("DELETE", `/api/users/999999999/2fa/${passcode}`)).toBe("404 User was not found");
    expect(await says("DELETE", `/api/users/${await idOf("plainstaff")}/2fa/${passcode}`)).toMatch(/^403 plainstaff is an administrator/);
    const views = (text: string) => server.database.pool.query<{ name: string; owner: number | null }>(text, [id]);
    await views(
      "insert into saved_view (list, name, owner_id, is_shared, query) values ('nodes', 'Mine', $1, false, ''), ('nodes', 'Ours', $1, true, '')",
    );
    const { rows: before } = await views("select name from saved_view where owner_id = $1");
    expect(before).toHaveLength(2);
    expect(await says("DELETE", `/api/users/${id}/2fa/${passcode}`)).toBe("200");
    expect(await says("DELETE", `/api/users/${id}/2fa/${passcode}`)).toBe("404 User was not found");
    // What others look through stays.
    const { rows: after } = await server.database.pool.query("select name, owner_id from saved_view");
    expect(after).toEqual([{ name: "Ours", owner_id: null }]);
    expect(server.logText()).not.toContain(passcode);
    const { rows } = await server.database.pool.query("select actor, action from activity order by id desc limit 1");
    expect(rows).toEqual([{ actor: "plainstaff", action: "DELETE_USER" }]);
  });

  test("ends the sessions at once", async () => {
    const token = await server.login(await server.addAdministrator("goner"));
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(200);
    const url = `/api/users/${await idOf("goner")}/2fa/${await server.passcode("theboss")}`;
    expect(await says("DELETE", url, undefined, boss)).toBe("200");
    expect((await send("GET", "/api/users", undefined, token)).status).toBe(401);
  });

  test("of oneself and of the last systemAdministrator is refused, also when two delete each other", async () => {
    expect(await says("DELETE", `/api/users/${await idOf("theboss")}/2fa/123456`, undefined, boss)).toBe("403 You cannot delete yourself");
    const other = await server.login("otherboss");
    const [bossId, otherId] = [await idOf("theboss"), await idOf("otherboss")];
    // Codes of one time step for both: the second call of passcode() lets the clock pass.
    await server.passcode("theboss");
    const otherCode = await server.passcode("otherboss");
    const bossCode = await server.passcode("theboss");
    const answers = await Promise.all([
      says("DELETE", `/api/users/${otherId}/2fa/${bossCode}`, undefined, boss),
      says("DELETE", `/api/users/${bossId}/2fa/${otherCode}`, undefined, other),
    ]);
    expect(answers.filter((answer) => answer === "200")).toHaveLength(1);
    const { rows } = await server.database.pool.query(
      "select count(*)::integer as left from app_user where 'systemAdministrator' = any(roles)",
    );
    expect(rows).toEqual([{ left: 1 }]);
    boss = await server.login(answers[0] === "200" ? "theboss" : "otherboss");
  });
});

test("the list is sent compressed, and only to who has not these contents already", async () => {
  const id = await add();
  const ask = (headers: Record<string, string>) =>
    server.app.inject({ method: "GET", url: "/api/users", headers: { token: staff, ...headers } });
  const first = await ask({ "accept-encoding": "gzip" });
  expect([first.headers["content-encoding"], first.headers["cache-control"]]).toEqual(["gzip", "private, no-cache"]);
  expect(JSON.parse(gunzipSync(first.rawPayload).toString())).toEqual((await ask({})).json());
  const etag = String(first.headers["etag"]);
  const again = await ask({ "accept-encoding": "gzip", "if-none-match": etag });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  await send("PATCH", `/api/users/${id}`, { lastName: "Renamed" });
  expect((await ask({ "accept-encoding": "gzip", "if-none-match": etag })).statusCode).toBe(200);
});

test("USR-07 sign-ins, newest first, a refreshed one once", async () => {
  await server.addAdministrator("comesback");
  const id = await idOf("comesback");
  const first = Math.floor(server.clock.now() / 1000);
  const token = await server.login("comesback");
  server.clock.advance(100);
  await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
  await server.login("comesback");
  expect((await send("GET", `/api/users/${id}/sessions`)).data).toEqual([
    { timestamp: first + 100, administrator: true },
    { timestamp: first, administrator: true },
  ]);
  expect(await says("GET", "/api/users/999999999/sessions")).toBe("404 User was not found");
});

describe("USR-08 the welcome e-mail", () => {
  test("is really sent, and says so", async () => {
    const id = await add({ firstName: "Wren" });
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe("200");
    const [message] = smtp.messages;
    expect([message?.recipients, message?.email.subject]).toEqual([[`user${made}@alder.example`], "Welcome to Busbar"]);
    expect(message?.email.text?.replaceAll("\r\n", "\n").split("\n")).toEqual([
      "Hello Wren,",
      "",
      "an account was made for you as a user of Alder Pumping.",
      "",
      `Your username is user${made}; this e-mail address works in its place.`,
      "Your password reaches you by another way, and no one will ever ask you for it.",
      "",
    ]);
  });

  test("says what the user gets by mail, of which facilities and how often", async () => {
    const id = await add({ firstName: "Wren", receiveDailyReport: true, autoSubscribeAllFacilities: true });
    const { pool } = server.database;
    const { rows } = await pool.query<{ id: number }>(
      "insert into facility (customer_id, name, site_name) values ($1, 'Mill', 'x'), ($1, 'Brine Works', 'x') returning id",
      [customerId],
    );
    await pool.query("insert into facility_subscription values ($1, $2, 'Weekly')", [id, rows[0]!.id]);
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe("200");
    await pool.query("delete from facility where id = any($1)", [rows.map((row) => row.id)]);
    expect(smtp.messages[0]?.email.text).toContain(
      "for it.\n\nYou get connectivity notifications, fault library notifications, a daily report of\n- Brine Works: Immediate\n- Mill: Weekly\n",
    );

    await pool.query(
      "insert into facility (customer_id, name, site_name) select $1, 'Well ' || to_char(n, 'FM00'), 'x' from generate_series(1, 52) n",
      [customerId],
    );
    await send("PATCH", `/api/users/${id}`, { receiveDailyReport: false });
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe("200");
    await send("PATCH", `/api/users/${id}`, { receiveConnectivityNotifications: false, receiveFaultLibraryNotifications: false });
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe("200");
    expect(smtp.messages[2]?.email.text).not.toContain("You get");
    await pool.query("delete from facility where name like 'Well %'");
    const text = smtp.messages[1]?.email.text?.replaceAll("\r\n", "\n") ?? "";
    expect(text).toContain("\nYou get connectivity notifications, fault library notifications of\n- ");
    expect([text.match(/^- .*: Immediate$/gm)?.length, text.match(/^- .* more facilities$/gm)]).toEqual([50, ["- 3 more facilities"]]);
  });

  test("is not sent without a first name, to a suspended user, or for no one", async () => {
    const id = await server.addUser("nameless", customerId, { first_name: "" });
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe(
      "409 User does not have a first name. Please set it before you send a welcome email.",
    );
    const suspended = await server.addUser("paused", customerId, { active_status: "SUSPENDED" });
    expect(await says("POST", `/api/users/${suspended}/accountnotification`)).toBe("409 paused is suspended");
    expect(await says("POST", "/api/users/999999999/accountnotification")).toBe("404 User was not found");
    expect(smtp.messages).toEqual([]);
  });

  test("says why it was not delivered; pressed again it is tried again, and arrives once", async () => {
    const id = await add();
    smtp.behaviour = "busy";
    const answer = await says("POST", `/api/users/${id}/accountnotification`);
    expect(answer).toMatch(/^502 The e-mail was not sent \(SMTP: .*451 Try again later.*\)\. It will be tried again$/);
    smtp.behaviour = "take";
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toBe("200");
    server.clock.advance(1_000);
    await server.context.mail.deliverDue(new AbortController().signal);
    expect(smtp.messages.filter(({ email }) => email.subject === "Welcome to Busbar")).toHaveLength(1);
    smtp.behaviour = "refuse";
    expect(await says("POST", `/api/users/${id}/accountnotification`)).toMatch(
      /^502 The e-mail was not sent \(SMTP: .*550 No such mailbox here\)$/,
    );
  });
});

describe("USR-10 the analytics address", () => {
  const url = async (id: number) => await says("GET", `/api/v2/users/${id}/url/analytics`);

  test("is made from the configured base, for users with access", async () => {
    const id = await add({ accessAnalytics: true, analyticsEarlyAccess: true });
    const { data } = await send("GET", `/api/v2/users/${id}/url/analytics`);
    expect(data).toBe(`https://analytics.busbar.example/portal?lang=en&customer=${code}&user=user${made}&earlyAccess=true`);
    expect(await url(await add())).toBe(`409 user${made} has no access to analytics`);
    expect(await url(999_999_999)).toBe("404 User was not found");
  });

  test("is refused clearly without a base", async () => {
    const bare = await createTestApp();
    const token = await bare.login(await bare.addAdministrator("bareboss"));
    const { customerId: other } = await addPlace(bare.database.pool);
    const id = await bare.addUser("reader", other, { access_analytics: true });
    const { status, json } = await bare.call({ method: "GET", url: `/api/v2/users/${id}/url/analytics`, token });
    expect([status, json["errorMessage"]]).toEqual([409, "Analytics is not set up on this server (ANALYTICS_URL)"]);
    await bare.stop();
  });
});
