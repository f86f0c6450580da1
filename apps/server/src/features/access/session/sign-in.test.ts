import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import { createLoginLimiter } from "./login-limiter.ts";
import { createSignInTriesStore } from "./sign-in-tries.store.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const signIn = (payload: object, url = "/api/sessions/administrator", headers = {}) =>
  server.call({ method: "POST", url, payload, headers });

describe("sign-in", () => {
  test("LOG-07 by username or e-mail on both bases gives token and roles; an empty name counts as absent", async () => {
    await server.addAdministrator("robin", ["accountsAdministrator"]);
    for (const url of ["/api/sessions/administrator", "/api/v2/sessions/administrator"]) {
      for (const who of [
        { username: "robin", email: "" },
        { username: "", email: "Robin@Busbar.example" },
        { email: "robin@busbar.example" },
      ]) {
        const { status, json } = await signIn(
          { ...who, password: testPassword, sendEmail: true, duration: 86_400, newDevice: true, v2Server: false },
          url,
        );
        expect(status).toBe(200);
        expect(json["data"]).toEqual({ token: expect.any(String), roles: ["accountsAdministrator"] });
      }
    }
  });

  test("LOG-07 the built-in initial credential opens nothing by itself", async () => {
    const bearer = { authorization: "Bearer busbar-console", token: "busbar-console" };
    expect((await server.call({ method: "GET", url: "/api/node-dashboard", headers: bearer })).status).toBe(401);
    expect(
      (await signIn({ username: "robin", password: testPassword }, undefined, { authorization: "Bearer something-else" })).status,
    ).toBe(200);
  });

  test("names neither username nor e-mail: 400 that says so", async () => {
    const { status, json } = await signIn({ username: "", email: "", password: "x" });
    expect([status, json]).toEqual([
      400,
      { errorCode: "INVALID", errorMessage: "username: a username or an e-mail is required", field: "username" },
    ]);
  });

  test("API-03 bad input is refused with a message that names the field", async () => {
    for (const [payload, field] of [
      [{ username: "robin" }, "password"],
      [{ username: 5, password: "x" }, "username"],
      [{ username: "robin", password: "x", duration: "long" }, "duration"],
      [{ username: "robin", password: "x", duration: 1 }, "duration"],
      [{ username: "robin", password: "x", newDevice: "yes" }, "newDevice"],
      [{ username: "r".repeat(400), password: "x" }, "username"],
    ] as const) {
      const { status, json } = await signIn(payload);
      expect([status, json["errorCode"]]).toEqual([400, "INVALID"]);
      expect(json["errorMessage"]).toMatch(new RegExp(`^${field}: `));
    }
    const { status, json } = await signIn({ username: "nul\0", password: "x" });
    expect([status, json["errorMessage"]]).toEqual([400, "The text holds a NUL character"]);
    const broken = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: "{",
      headers: { "content-type": "application/json" },
    });
    expect([broken.status, broken.json["errorMessage"]]).toEqual([400, "The body is not valid JSON"]);
    const deep = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: "[".repeat(40),
      headers: { "content-type": "application/json" },
    });
    expect(deep.json["errorMessage"]).toContain("nested deeper than 32");
  });

  test("SEC-04 unknown user, wrong password, suspended and customer user get the same answer after the same work", async () => {
    // What other files loaded stays uncounted: this platform has modules of its own.
    vi.resetModules();
    vi.doMock("#lib/passwords.ts", { spy: true });
    const { verifyPassword } = await import("#lib/passwords.ts");
    const { createTestApp: createCountedApp } = await import("#testing/test-app.ts");
    const counted = await createCountedApp();
    try {
      await counted.addAdministrator("sam");
      await counted.addAdministrator("pausedperson");
      await counted.addAdministrator("customeruser");
      await counted.database.pool.query("update app_user set active_status = 'SUSPENDED' where username = 'pausedperson'");
      await counted.database.pool.query("update app_user set is_administrator = false where username = 'customeruser'");
      for (const [username, password] of [
        ["nobodyhere", testPassword],
        ["sam", "wrong"],
        ["pausedperson", testPassword],
        ["customeruser", testPassword],
      ]) {
        vi.mocked(verifyPassword).mockClear();
        const { status, json } = await counted.call({
          method: "POST",
          url: "/api/sessions/administrator",
          payload: { username, password },
        });
        expect([status, json]).toEqual([401, { errorCode: "LOGIN_FAILED", errorMessage: "Username or password is incorrect" }]);
        // Hashing takes most of the time; lib/passwords.ts does it for an account that is not there too.
        expect(verifyPassword).toHaveBeenCalledOnce();
      }
    } finally {
      await counted.stop();
      vi.doUnmock("#lib/passwords.ts");
      vi.resetModules();
    }
  });

  test("SEC-04 passwords are stored as argon2id", async () => {
    const { rows } = await server.database.pool.query("select password_hash from app_user where password_hash is not null");
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$/);
  });

  test("SEC-04 after five wrong passwords in a minute the account waits, also with the right one", async () => {
    await server.addAdministrator("pat");
    for (let attempt = 0; attempt < 5; attempt++) expect((await signIn({ username: "pat", password: "wrong" })).status).toBe(401);
    const { status, json, headers } = await signIn({ username: "pat", password: testPassword });
    expect([status, json["errorCode"]]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    server.clock.advance(61);
    expect((await signIn({ username: "pat", password: testPassword })).status).toBe(200);
    expect((await signIn({ username: "pat", password: "wrong" })).status).toBe(401);
  });

  test("SEC-04 many tries at the same moment and other spellings count alike", async () => {
    await server.addAdministrator("kiki");
    const spellings = ["kiki", "KIKI", "\u212Ai\u212Ai", "k\u0130k\u0130"];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => signIn({ username: spellings[index % 3], password: "wrong" })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19);
    // A dotted capital I is another letter, not a way around the limit.
    expect((await signIn({ username: spellings[3], password: testPassword })).status).toBe(401);
  });

  test("SEC-04 twelve right sign-ins at the same moment all come in, a wrong one among them does not", async () => {
    await server.addAdministrator("twelve");
    const passwords = Array.from({ length: 13 }, (_, index) => (index === 3 ? "wrong" : testPassword));
    const answers = await Promise.all(passwords.map((password) => signIn({ username: "twelve", password })));
    expect(answers.map(({ status }) => status)).toEqual(passwords.map((password) => (password === "wrong" ? 401 : 200)));
  });

  test("SEC-04 one address may not try many accounts", async () => {
    const from = (remoteAddress: string) =>
      server.call({
        method: "POST",
        url: "/api/sessions/administrator",
        payload: { username: "", email: "", password: "x" },
        remoteAddress,
      });
    const guess = (username: string) =>
      server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username, password: "x" }, remoteAddress: "192.0.2.7" });
    const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => guess(`guess${index}`)));
    // Of sixty; on a busy machine some tries are given back meanwhile.
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect((await from("192.0.2.8")).status).toBe(400);
    server.clock.advance(61);
    expect((await guess("guess1")).status).toBe(401);
  });

  test("a password that could not be looked at does not count as wrong", async () => {
    const limiter = createLoginLimiter(createSignInTriesStore(server.database.pool), server.clock);
    const wrong = () => Promise.resolve();
    const guess = { userId: undefined, entry: "busyperson", remoteAddress: "192.0.2.9" };
    for (let attempt = 0; attempt < 5; attempt++) await limiter.during(guess, wrong);
    await expect(limiter.during(guess, wrong)).rejects.toMatchObject({ status: 429 });
    await limiter.giveBack(guess);
    await limiter.during(guess, wrong);
  });

  test("SEC-04 failures and sign-ins are recorded, secrets are not", async () => {
    await signIn({ username: "strangername", password: testPassword });
    const { rows } = await server.database.pool.query("select action, actor, description from activity where action like 'LOGIN%'");
    expect(rows).toContainEqual(expect.objectContaining({ action: "LOGIN_FAILED", actor: "strangername" }));
    expect(rows).toContainEqual(expect.objectContaining({ action: "LOGIN", actor: "robin" }));
    const token = await server.login("robin");
    await server.call({ method: "GET", url: "/api/node-dashboard", token });
    expect(server.logText()).not.toContain(testPassword);
    expect(server.logText()).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(testPassword);
  });
});
