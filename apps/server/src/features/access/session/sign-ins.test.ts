import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ SESSIONS_PER_PERSON: "4" });
});
afterAll(() => server.stop());

const refresh = async (token: string) => {
  const { status, json } = await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
  return { status, token: (json["data"] as { token: string } | undefined)?.token ?? "", said: json["errorMessage"] };
};
const ask = async (token: string) => {
  server.clock.advance(1);
  const { status, json } = await server.call({ method: "GET", url: "/api/account", token });
  return [status, json["errorMessage"]];
};
const signIn = (username: string) => {
  server.clock.advance(1);
  return server.login(username);
};

describe("A-45 a replaced token", () => {
  test("A-45 gives every caller within its grace the same successor, and no other", async () => {
    const old = await signIn(await server.addAdministrator("twotabs"));
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(old)));
    server.clock.advance(29);
    answers.push(await refresh(old));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ token }) => token)).size).toBe(1);
    const { rows } = await server.database.pool.query(
      "select from session s join app_user u on u.id = s.user_id where username = 'twotabs'",
    );
    expect(rows).toHaveLength(2);
  });

  test("A-45 that refreshes after its grace ends the whole sign-in, and says so; other sign-ins go on", async () => {
    await server.addAdministrator("copied");
    const other = await signIn("copied");
    const old = await signIn("copied");
    const next = await refresh(old);
    const latest = await refresh(next.token);
    server.clock.advance(31);
    expect((await ask(latest.token))[0]).toBe(200);
    expect((await refresh(old)).status).toBe(401);
    const said = "An old token of this session was used again, perhaps by someone else, so it was ended. Please sign in again";
    for (const token of [old, next.token, latest.token]) expect(await ask(token)).toEqual([401, said]);
    expect((await refresh(latest.token)).status).toBe(401);
    expect((await ask(other))[0]).toBe(200);
    const { rows } = await server.database.pool.query("select actor from activity where action = 'SESSION_REUSED'");
    expect(rows).toEqual([{ actor: "copied" }]);
  });

  test("A-45 that only reads after its grace is refused and ends nothing: a tab that slept", async () => {
    const old = await signIn(await server.addAdministrator("sleeper"));
    const { token } = await refresh(old);
    server.clock.advance(31);
    expect((await ask(old))[0]).toBe(401);
    expect((await ask(token))[0]).toBe(200);
  });
});

describe("A-45 sign-ins of one person", () => {
  test("A-45 have a cap: the oldest ends, and its screen says why", async () => {
    await server.addAdministrator("everywhere");
    await server.addAdministrator("bystander");
    const bystander = await signIn("bystander");
    const tokens: string[] = [];
    for (let count = 0; count < 5; count++) tokens.push(await signIn("everywhere"));
    expect(await ask(tokens[0] ?? "")).toEqual([
      401,
      "You are signed in at more than 4 places, so the oldest of them was signed out: this one. Please sign in again",
    ]);
    // Another person's sign-ins are none of theirs, also when they sign in again.
    const again = await signIn("bystander");
    for (const token of [...tokens.slice(1), bystander, again]) expect((await ask(token))[0]).toBe(200);
    const { json } = await server.call({ method: "GET", url: "/api/account/sessions", token: tokens[4] ?? "" });
    expect(json["data"]).toHaveLength(4);
  });

  test("A-45 also at the same moment; a refreshed one counts once", async () => {
    await server.addAdministrator("atonce");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username: "atonce", password: testPassword } }),
      ),
    );
    const tokens = answers.map(({ json }) => (json["data"] as { token: string }).token);
    const alive = async (each: string[]) => {
      const statuses = await Promise.all(each.map(async (token) => (await ask(token))[0]));
      return each.filter((_, index) => statuses[index] === 200);
    };
    const living = await alive(tokens);
    expect(living).toHaveLength(4);
    const fresh = await Promise.all(living.map(async (token) => (await refresh(token)).token));
    expect(await alive(fresh)).toHaveLength(4);
  });
});

test("A-28 the screen of a suspended person hears why it is over", async () => {
  await server.addAdministrator("sent.away");
  await server.addAdministrator("boss", ["systemAdministrator"]);
  const [token, boss] = [await signIn("sent.away"), await signIn("boss")];
  const { rows } = await server.database.pool.query<{ id: number }>("select id from app_user where username = 'sent.away'");
  await server.call({ method: "PATCH", url: `/api/users/${rows[0]?.id}`, token: boss, payload: { activeStatus: "SUSPENDED" } });
  expect(await ask(token)).toEqual([401, "Your account is suspended. Please ask a system administrator"]);
});
