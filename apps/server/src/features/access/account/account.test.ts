import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const send = async (method: "GET" | "PATCH" | "DELETE", url: string, token: string, payload?: object) => {
  const { status, json } = await server.call({ method, url, token, ...(payload ? { payload } : {}) });
  return { status, data: json["data"], message: (json["errorMessage"] as string | undefined) ?? "" };
};
/** Signs in at a moment of its own. */
const signIn = (username: string) => {
  server.clock.advance(1);
  return server.login(username);
};
const sessions = async (token: string) =>
  (await send("GET", "/api/account/sessions", token)).data as {
    id: string;
    isCurrent: boolean;
    signedInTimestamp: number;
    lastUsedTimestamp: number;
  }[];

test("one's own account", async () => {
  const token = await signIn(await server.addAdministrator("myself", ["accountsAdministrator"]));
  expect((await send("GET", "/api/account", token)).data).toEqual({
    username: "myself",
    firstName: "Test",
    lastName: "Person",
    email: "myself@busbar.example",
    roles: ["accountsAdministrator"],
    twoFactor: null,
    mustEnrolTwoFactor: false,
    mustChangePassword: false,
  });
});

describe("own sessions", () => {
  test("are listed, a refreshed one once, and ended one by one; no one else's are", async () => {
    await server.addAdministrator("several");
    const first = await signIn("several");
    const token = await signIn("several");
    const refreshed = await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
    const current = (refreshed.json["data"] as { token: string }).token;
    const list = await sessions(current);
    expect(list.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(list).toHaveLength(2);
    const other = list.find(({ isCurrent }) => !isCurrent)?.id ?? "";
    const stranger = await signIn(await server.addAdministrator("stranger"));
    expect((await send("DELETE", `/api/account/sessions/${other}`, stranger)).status).toBe(404);
    expect((await send("GET", "/api/account", first)).status).toBe(200);
    expect((await send("DELETE", `/api/account/sessions/${other}`, current)).status).toBe(200);
    expect((await send("GET", "/api/account", first)).status).toBe(401);
    expect((await send("GET", "/api/account", current)).status).toBe(200);
    expect((await send("DELETE", `/api/account/sessions/${other}`, current)).status).toBe(404);
  });

  test("A-63 are listed by when they were used last, with when that was and when they began", async () => {
    const began = Math.floor(server.clock.now() / 1000) + 1;
    const first = await signIn(await server.addAdministrator("often"));
    server.clock.advance(99);
    const second = await signIn("often");
    const times = async () =>
      (await sessions(second)).map((session) => [session.signedInTimestamp - began, session.lastUsedTimestamp - began, session.isCurrent]);
    expect(await times()).toEqual([
      [100, 100, true],
      [0, 0, false],
    ]);
    server.clock.advance(50);
    await send("GET", "/api/account", first);
    await expect.poll(times).toEqual([
      [0, 150, false],
      [100, 100, true],
    ]);
  });

  test("what of a sign-in ended before keeps its end when the sign-in is ended", async () => {
    await server.addAdministrator("refresher");
    const token = await signIn("refresher");
    await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
    const endings = async () =>
      (
        await server.database.pool.query<{ at: Date | null; reason: string | null }>(
          `select s.ends_at as at, s.end_reason as reason from session s join app_user u on u.id = s.user_id
           where u.username = 'refresher' order by s.signed_in_at, s.issued_at`,
        )
      ).rows;
    server.clock.advance(60);
    const current = await signIn("refresher");
    const [replaced] = await endings();
    const other = (await sessions(current)).find(({ isCurrent }) => !isCurrent);
    expect((await send("DELETE", `/api/account/sessions/${other?.id}`, current)).status).toBe(200);
    expect(await endings()).toEqual([replaced, { at: expect.any(Date), reason: "ended by its owner" }, { at: null, reason: null }]);
  });

  test("all others are ended at once, and only living ones are shown", async () => {
    await server.addAdministrator("many");
    const tokens = [await signIn("many"), await signIn("many"), await signIn("many")];
    const [, , current = ""] = tokens;
    expect((await send("DELETE", "/api/account/sessions", current)).data).toEqual({ endedCount: 2 });
    expect(await Promise.all(tokens.map(async (token) => (await send("GET", "/api/account", token)).status))).toEqual([401, 401, 200]);
    expect(await sessions(current)).toHaveLength(1);
  });
});

describe("one's own password", () => {
  const change = (token: string, currentPassword: string, newPassword: string) =>
    send("PATCH", "/api/account/password", token, { currentPassword, newPassword });

  test("changes with the present one; other sessions end, this one goes on", async () => {
    await server.addAdministrator("changes");
    const other = await signIn("changes");
    const token = await signIn("changes");
    expect(await change(token, "wrong", "Velvet-Quarry77")).toMatchObject({ status: 403, message: "Your current password is not right" });
    expect((await change(token, testPassword, "Velvet-Quarry77")).status).toBe(200);
    expect((await send("GET", "/api/account", other)).status).toBe(401);
    expect((await send("GET", "/api/account", token)).status).toBe(200);
    const login = async (password: string) =>
      (await server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username: "changes", password } })).status;
    expect([await login(testPassword), await login("Velvet-Quarry77")]).toEqual([401, 200]);
    expect(server.logText()).not.toContain("Velvet-Quarry77");
  });

  test("keeps the rules", async () => {
    const token = await signIn(await server.addAdministrator("weakling"));
    const says = async (password: string) => (await change(token, testPassword, password)).message;
    expect(await says("Velvet-Qua7")).toMatch("newPassword: An administrator's password has at least 12");
    expect(await says("password123!")).toMatch("newPassword: This password is too easy");
    expect(await says(testPassword)).toBe("newPassword: this is the current password");
    await server.database.pool.query(
      "update app_user set first_name = 'Marmaduke', last_name = 'Quigley', email = 'x@halibuts.example' where username = 'weakling'",
    );
    for (const word of ["Weakling", "Marmaduke", "Quigley", "Halibuts"])
      expect([word, await says(`${word}-2026-2026`)]).toEqual([word, expect.stringContaining("too easy to guess")]);
  });

  test("is asked five times a minute at most", async () => {
    const token = await signIn(await server.addAdministrator("guessed"));
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await change(token, `wrong${count}`, "Velvet-Quarry77")).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  test("set by someone else is to be changed before anything else", async () => {
    await server.addAdministrator("informed");
    const boss = await signIn(await server.addAdministrator("teller", ["systemAdministrator"]));
    const { rows } = await server.database.pool.query<{ id: number }>("select id from app_user where username = 'informed'");
    await send("PATCH", `/api/users/${rows[0]?.id}/admin/password`, boss, { newPassword: "Velvet-Quarry77" });
    const login = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "informed", password: "Velvet-Quarry77" },
    });
    const token = (login.json["data"] as { token: string }).token;
    expect((await send("GET", "/api/account", token)).data).toMatchObject({ mustChangePassword: true });
    const users = () => server.call({ method: "GET", url: "/api/users", token });
    const refused = await users();
    expect([refused.status, refused.json["errorMessage"]]).toEqual([
      403,
      "An administrator set your password. Choose your own first: click your name at the top right, then Security",
    ]);
    expect((await send("GET", "/api/account/sessions", token)).status).toBe(200);
    await change(token, "Velvet-Quarry77", "Granite-Willow88");
    expect((await users()).status).toBe(200);
    expect((await send("GET", "/api/account", token)).data).toMatchObject({ mustChangePassword: false });
    // The owner reads who did it.
    const { rows: mails } = await server.database.pool.query<{ body: string }>(
      "select body from notification where kind = 'PASSWORD_CHANGED' and recipients_to = array['informed@busbar.example'] order by id",
    );
    expect(mails.map(({ body }) => body.split("\n")[2])).toEqual([
      "an administrator set a new password for the account informed. All its sessions have ended.",
      "the password of the account informed was changed. All other sessions have ended.",
    ]);
  });
});
