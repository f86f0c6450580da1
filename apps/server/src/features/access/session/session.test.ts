import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import { createSessionStore } from "./session.store.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const claims = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { iat: number; exp: number; name: string };

describe("the session", () => {
  const dashboard = (token: string) => server.call({ method: "GET", url: "/api/node-dashboard", token });

  test("SES-03 a refresh gives a new token; the old one works 30 s more", async () => {
    await server.addAdministrator("ruth", ["systemAdministrator"]);
    const old = await server.login("ruth");
    server.clock.advance(900);
    const { status, json } = await server.call({ method: "PATCH", url: "/api/sessions", token: old, payload: { duration: 86_400 } });
    const fresh = (json["data"] as { token: string }).token;
    expect([status, (json["data"] as { roles: string[] }).roles]).toEqual([200, ["systemAdministrator"]]);
    expect(claims(fresh).iat).toBe(claims(old).iat + 900);
    expect((await dashboard(old)).status).toBe(200);
    server.clock.advance(31);
    expect((await dashboard(old)).status).toBe(401);
    expect((await dashboard(fresh)).status).toBe(200);
  });

  test("a session ends 24 h after sign-in whatever duration is asked and however often it is refreshed", async () => {
    await server.addAdministrator("omar");
    let { json } = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "omar", password: testPassword, duration: 1_000_000_000 },
    });
    let { token } = json["data"] as { token: string };
    expect(claims(token).exp - claims(token).iat).toBe(86_400);
    const end = claims(token).exp;
    for (let step = 0; step < 60; step++) {
      server.clock.advance(1_500);
      const refreshed = await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
      if (refreshed.status !== 200) break;
      json = refreshed.json;
      ({ token } = json["data"] as { token: string });
      expect(claims(token).exp).toBeLessThanOrEqual(end + 1);
    }
    expect((await dashboard(token)).status).toBe(401);
    expect(server.clock.now() / 1000).toBeGreaterThan(end - 1_500);
  });

  test("30 minutes without a call end it", async () => {
    await server.addAdministrator("ines");
    const token = await server.login("ines");
    server.clock.advance(1_700);
    expect((await dashboard(token)).status).toBe(200);
    server.clock.advance(1_801);
    expect((await dashboard(token)).status).toBe(401);
  });

  test("LOG-10 logging out revokes the token at once, and those refreshed from the same sign-in", async () => {
    await server.addAdministrator("lea");
    const first = await server.login("lea");
    const { json } = await server.call({ method: "PATCH", url: "/api/sessions", token: first, payload: {} });
    const second = (json["data"] as { token: string }).token;
    server.clock.advance(1);
    const other = await server.login("lea");
    expect((await server.call({ method: "DELETE", url: "/api/sessions", token: second })).json).toEqual({ data: { revoked: true } });
    expect((await dashboard(second)).status).toBe(401);
    expect((await dashboard(first)).status).toBe(401);
    expect((await dashboard(other)).status).toBe(200);
  });

  test("a role that is taken away is gone within a second, one that is given comes with the next refresh", async () => {
    await server.addAdministrator("nell", ["systemAdministrator"]);
    const token = await server.login("nell");
    const rolesOf = async (bearer: string) => (await server.context.sessions.authenticate(bearer, { mayBeStale: false })).roles;
    expect(await rolesOf(token)).toEqual(["systemAdministrator"]);
    await server.database.pool.query("update app_user set roles = '{accountsAdministrator}' where username = 'nell'");
    server.clock.advance(1);
    expect(await rolesOf(token)).toEqual([]);
    const { json } = await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
    const fresh = json["data"] as { token: string; roles: string[] };
    expect(fresh.roles).toEqual(["accountsAdministrator"]);
    expect(await rolesOf(fresh.token)).toEqual(["accountsAdministrator"]);
  });

  test("a deleted person's sessions and all those ended for a new password are refused", async () => {
    await server.addAdministrator("dora");
    await server.addAdministrator("enzo");
    const [dora, enzo] = [await server.login("dora"), await server.login("enzo")];
    const store = createSessionStore(server.database.pool);
    const { userId } = await server.context.sessions.authenticate(enzo, { mayBeStale: false });
    await inTransaction(server.database.pool, (client) => store.endSessionsOfUser(client, userId, server.clock.now() / 1000, "password"));
    await server.database.pool.query("delete from app_user where username = 'dora'");
    server.clock.advance(1);
    for (const token of [dora, enzo]) expect((await dashboard(token)).status).toBe(401);
    server.clock.advance(1);
    expect((await dashboard(await server.login("enzo"))).status).toBe(200);
  });

  test("one that was ended elsewhere a moment ago cannot be refreshed into a new one", async () => {
    const token = await server.login(await server.addAdministrator("lena"));
    expect((await dashboard(token)).status).toBe(200);
    await server.database.pool.query(
      "update session set ends_at = to_timestamp($1) where user_id = (select id from app_user where username = 'lena')",
      [server.clock.now() / 1000],
    );
    const refreshed = await server.call({ method: "PATCH", url: "/api/sessions", token, payload: {} });
    expect([refreshed.status, refreshed.json["errorMessage"]]).toEqual([401, "Your session has ended. Please sign in again"]);
  });

  const blocked = async (statement: string) =>
    (
      await server.database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '/* ' || $1 || ' */%'",
        [statement],
      )
    ).rowCount;

  test("a sign-in or refresh under way while the password changes gives no session that outlives it", async () => {
    await server.addAdministrator("petra");
    const old = await server.login("petra");
    const answers = await inTransaction(server.database.pool, async (client) => {
      const { rows } = await client.query("update app_user set password_hash = 'another' where username = 'petra' returning id");
      const signingIn = server.call({
        method: "POST",
        url: "/api/sessions/administrator",
        payload: { username: "petra", password: testPassword },
      });
      const refreshing = server.call({ method: "PATCH", url: "/api/sessions", token: old, payload: {} });
      await expect.poll(() => blocked("may-still-sign-in")).toBe(1);
      await expect.poll(() => blocked("hold-session-owner")).toBe(1);
      await createSessionStore(server.database.pool).endSessionsOfUser(client, rows[0].id, server.clock.now() / 1000, "password");
      return [signingIn, refreshing];
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401]);
    const { rows } = await server.database.pool.query(
      "select from session s join app_user u on u.id = s.user_id where username = 'petra' and s.ends_at is null",
    );
    expect(rows).toEqual([]);
  });

  test("LOG-10 the browser forgets what it kept of the fleet", async () => {
    const token = await server.login(await server.addAdministrator("mona"));
    const { headers } = await server.call({ method: "DELETE", url: "/api/sessions", token });
    expect(headers["clear-site-data"]).toBe('"cache"');
  });

  test("use is written at most once a minute", async () => {
    const token = await server.login(await server.addAdministrator("otto"));
    const lastUsed = async () =>
      (await server.database.pool.query("select last_used_at from session s join app_user u on u.id = s.user_id where username = 'otto'"))
        .rows[0].last_used_at as Date;
    const first = await lastUsed();
    server.clock.advance(59);
    await dashboard(token);
    expect(await lastUsed()).toEqual(first);
    server.clock.advance(2);
    await dashboard(token);
    await expect.poll(lastUsed).not.toEqual(first);
  });

  test("a suspended person's session ends within a second", async () => {
    await server.addAdministrator("kim");
    const token = await server.login("kim");
    expect((await dashboard(token)).status).toBe(200);
    await server.database.pool.query("update app_user set active_status = 'SUSPENDED' where username = 'kim'");
    server.clock.advance(1);
    expect((await dashboard(token)).status).toBe(401);
  });

  test("SES-05 forged and unsigned tokens and those of others are refused", async () => {
    const token = await server.login(await server.addAdministrator("robin"));
    const [header, payload, signature] = token.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const bad of ["x", `${header}.${payload}.AAAA`, unsigned, `${header}.${Buffer.from("{}").toString("base64url")}.${signature}`]) {
      expect((await dashboard(bad)).status).toBe(401);
    }
  });
});
