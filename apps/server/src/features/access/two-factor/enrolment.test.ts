import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { totpCode, totpPeriodSeconds } from "#lib/totp.ts";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

type Answer = { status: number; data: Record<string, never>; message: string };
async function send(
  on: TestApp,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  token: string,
  payload?: object,
): Promise<Answer> {
  const { status, json } = await on.call({ method, url, token, ...(payload ? { payload } : {}) });
  return { status, data: json["data"] as Answer["data"], message: (json["errorMessage"] as string | undefined) ?? "" };
}

/** Sets up a second factor as a person does; returns its secret and recovery codes. */
async function enrol(on: TestApp, token: string, code?: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await send(on, "POST", "/api/account/2fa/enrolment", token, { password: testPassword, ...(code ? { code } : {}) });
  const secret = String(begun.data["secret"]);
  const confirmed = await send(on, "POST", "/api/account/2fa/confirmation", token, { code: totpCode(secret, on.clock.now()) });
  on.clock.advance(totpPeriodSeconds);
  return { secret, recoveryCodes: (confirmed.data as unknown as { recoveryCodes: string[] }).recoveryCodes };
}

const callerOf = async (on: TestApp, username: string) => {
  const { rows } = await on.database.pool.query<{ id: number }>("select id from app_user where username = $1", [username]);
  return { userId: rows[0]?.id ?? 0, username };
};
const uses = async (on: TestApp, username: string, code: string) => {
  try {
    await on.context.twoFactor.usePasscode(await callerOf(on, username), code);
    return "right";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("SEC-03 setting up a second factor", () => {
  test("needs one's own password, then a code of the new authenticator; only then it counts", async () => {
    const token = await server.login(await server.addAdministrator("setsup"));
    expect((await send(server, "POST", "/api/account/2fa/enrolment", token, { password: "wrong" })).message).toBe(
      "Your current password is not right",
    );
    const begun = await send(server, "POST", "/api/account/2fa/enrolment", token, { password: testPassword });
    const secret = String(begun.data["secret"]);
    expect([begun.status, secret, begun.data["otpauthAddress"]]).toEqual([
      200,
      expect.stringMatching(/^[A-Z2-7]{32}$/),
      expect.stringContaining(`otpauth://totp/Busbar:setsup?issuer=Busbar&secret=${secret}`),
    ]);
    expect(await uses(server, "setsup", totpCode(secret, server.clock.now()))).toMatch("no two-factor authentication yet");
    const wrong = await send(server, "POST", "/api/account/2fa/confirmation", token, { code: "abcdef" });
    expect([wrong.status, wrong.message]).toEqual([
      400,
      "code: this is not the code that your authenticator shows now. Is its clock right?",
    ]);
    const code = totpCode(secret, server.clock.now());
    expect((await send(server, "POST", "/api/account/2fa/confirmation", token, { code })).status).toBe(200);
    expect(await uses(server, "setsup", code)).toMatch("already used");
    server.clock.advance(totpPeriodSeconds);
    expect(await uses(server, "setsup", totpCode(secret, server.clock.now()))).toBe("right");
    const account = await send(server, "GET", "/api/account", token);
    expect(account.data).toMatchObject({ twoFactor: { recoveryCodesLeft: 10 }, mustEnrolTwoFactor: false });
  });

  test("what was begun 15 minutes ago, or never, cannot be confirmed", async () => {
    const token = await server.login(await server.addAdministrator("late"));
    const confirm = async (code: string) => (await send(server, "POST", "/api/account/2fa/confirmation", token, { code })).status;
    expect(await confirm("123456")).toBe(409);
    const begun = await send(server, "POST", "/api/account/2fa/enrolment", token, { password: testPassword });
    server.clock.advance(15 * 60 + 1);
    expect(await confirm(totpCode(String(begun.data["secret"]), server.clock.now()))).toBe(409);
    // What was begun anew counts from then on, and alone.
    const anew = async () => (await send(server, "POST", "/api/account/2fa/enrolment", token, { password: testPassword })).data["secret"];
    const [first, second] = [String(await anew()), String(await anew())];
    server.clock.advance(14 * 60);
    expect(await confirm(totpCode(first, server.clock.now()))).toBe(400);
    expect(await confirm(totpCode(second, server.clock.now()))).toBe(200);
  });

  test("again needs a code of the present one; other sessions end, this one goes on", async () => {
    const username = await server.addAdministrator("again");
    const other = await server.login(username);
    server.clock.advance(1); // sign-ins of one moment would be one
    const token = await server.login(username);
    const { recoveryCodes } = await enrol(server, token);
    expect((await send(server, "GET", "/api/account", other)).status).toBe(401);
    expect((await send(server, "GET", "/api/account", token)).status).toBe(200);
    const begin = (payload: object) => send(server, "POST", "/api/account/2fa/enrolment", token, { password: testPassword, ...payload });
    expect((await begin({})).message).toMatch(/^code: a 2FA code of your present authenticator/);
    expect((await begin({ code: "000000" })).message).toBe("The 2FA code is not right");
    const begun = await begin({ code: recoveryCodes[0] });
    // The code that confirms the new one is used up, as that of the first was.
    const code = totpCode(String(begun.data["secret"]), server.clock.now());
    expect((await send(server, "POST", "/api/account/2fa/confirmation", token, { code })).status).toBe(200);
    expect(await uses(server, "again", code)).toMatch("already used");
  });

  test("secrets, codes and recovery codes are neither in the database nor in the log", async () => {
    const token = await server.login(await server.addAdministrator("secretive"));
    const { secret, recoveryCodes } = await enrol(server, token);
    const pending = await send(server, "POST", "/api/account/2fa/enrolment", token, { password: testPassword, code: recoveryCodes[0] });
    const { rows } = await server.database.pool.query<{ text: string }>(
      `select string_agg(t, '') as text from (select user_totp::text as t from user_totp union all select recovery_code::text from recovery_code
         union all select user_totp_enrolment::text from user_totp_enrolment union all select activity::text from activity) x`,
    );
    for (const hidden of [secret, String(pending.data["secret"]), ...recoveryCodes]) {
      expect(rows[0]?.text).not.toContain(hidden);
      expect(server.logText()).not.toContain(hidden);
    }
  });
});

describe("SEC-03 recovery codes", () => {
  test("are ten, work wherever a code is asked, once each, also for twenty at the same moment", async () => {
    const token = await server.login(await server.addAdministrator("recovers"));
    const { recoveryCodes } = await enrol(server, token);
    expect([recoveryCodes.length, new Set(recoveryCodes).size]).toEqual([10, 10]);
    for (const each of recoveryCodes) expect(each).toMatch(/^[a-hjkmnp-z2-9]{16}$/);
    const [first = "", second = ""] = recoveryCodes;
    expect(await uses(server, "recovers", first.toUpperCase())).toBe("right");
    expect(await uses(server, "recovers", first)).toBe("The 2FA code is not right");
    const answers = await Promise.all(Array.from({ length: 4 }, () => uses(server, "recovers", second)));
    expect(answers.filter((answer) => answer === "right")).toHaveLength(1);
    expect((await send(server, "GET", "/api/account", token)).data["twoFactor"]).toMatchObject({ recoveryCodesLeft: 8 });
    const { rows } = await server.database.pool.query(
      "select count(*)::integer as used from activity where action = 'USE_RECOVERY_CODE' and actor = 'recovers'",
    );
    expect(rows).toEqual([{ used: 2 }]);
  });

  test("of another person, and after five wrong ones any, are refused", async () => {
    const mine = await enrol(server, await server.login(await server.addAdministrator("mine")));
    await enrol(server, await server.login(await server.addAdministrator("theirs")));
    for (let count = 0; count < 4; count++)
      expect(await uses(server, "theirs", mine.recoveryCodes[0] ?? "")).toBe("The 2FA code is not right");
    expect(await uses(server, "theirs", "x".repeat(16))).toMatch("Too many wrong 2FA codes");
    expect(await uses(server, "mine", mine.recoveryCodes[0] ?? "")).toBe("right");
  });

  test("new ones void the old ones", async () => {
    const token = await server.login(await server.addAdministrator("renews"));
    const old = await enrol(server, token);
    const code = totpCode(old.secret, server.clock.now());
    const { data } = await send(server, "POST", "/api/account/2fa/recoverycodes", token, { code });
    const [first = ""] = (data as unknown as { recoveryCodes: string[] }).recoveryCodes;
    expect(await uses(server, "renews", old.recoveryCodes[0] ?? "")).toBe("The 2FA code is not right");
    expect(await uses(server, "renews", first)).toBe("right");
  });
});

describe("SEC-03 taking a second factor away", () => {
  test("needs a systemAdministrator with a code; ends the sessions, is audited and notified by mail", async () => {
    const token = await server.login(await server.addAdministrator("lostphone"));
    await enrol(server, token);
    const { userId } = await callerOf(server, "lostphone");
    const boss = await server.login(await server.addAdministrator("resetter", ["systemAdministrator"]));
    const staff = await server.login(await server.addAdministrator("onlystaff"));
    const reset = (code: string, as = boss, id = userId) => send(server, "DELETE", `/api/users/${id}/secondfactor/2fa/${code}`, as);
    expect((await reset("123456", staff)).status).toBe(403);
    expect((await reset("123456", boss, 999_999_999)).status).toBe(404);
    const passcode = await server.passcode("resetter");
    expect((await reset(passcode, boss, (await callerOf(server, "onlystaff")).userId)).message).toBe(
      "onlystaff has no two-factor authentication",
    );
    const users = await send(server, "GET", "/api/users", boss);
    const listed = (users.data as unknown as { username: string; twoFactorEnrolled: boolean }[]).find(
      ({ username }) => username === "lostphone",
    );
    expect(listed?.twoFactorEnrolled).toBe(true);
    expect((await reset(passcode)).status).toBe(200);
    expect((await send(server, "GET", "/api/account", token)).status).toBe(401);
    const { rows } = await server.database.pool.query("select actor, object, description from activity where action = 'RESET_TWO_FACTOR'");
    expect(rows).toEqual([
      { actor: "resetter", object: expect.stringMatching(/^user\/\d+$/), description: "Took away the second factor of lostphone" },
    ]);
    const mail = await server.database.pool.query("select recipients_to from notification where kind = 'TWO_FACTOR_RESET'");
    expect(mail.rows).toEqual([{ recipients_to: ["lostphone@busbar.example"] }]);
    expect(server.logText()).not.toContain(passcode);
  });
});

describe("SEC-03 2FA at sign-in", () => {
  const login = (on: TestApp, username: string, more: object = {}) =>
    on.call({ method: "POST", url: "/api/sessions/administrator", payload: { username, password: testPassword, ...more } });

  test.each([
    ["systemAdministrator", true, false],
    ["all", true, true],
    ["off", false, false],
  ])("LOGIN_TWO_FACTOR=%s", async (setting, ofSystemAdministrator, ofStaff) => {
    const own = await createTestApp({ LOGIN_TWO_FACTOR: setting });
    for (const [username, roles, isNeeded] of [
      ["system", ["systemAdministrator"], ofSystemAdministrator],
      ["staff", [], ofStaff],
    ] as const) {
      await own.addAdministrator(username, [...roles]);
      const code = await own.passcode(username);
      expect((await login(own, username, { password: "wrong", code })).json["errorCode"]).toBe("LOGIN_FAILED");
      const first = await login(own, username);
      expect([username, first.status, first.json["errorCode"]]).toEqual(
        isNeeded ? [username, 401, "PASSCODE_REQUIRED"] : [username, 200, undefined],
      );
      if (!isNeeded) continue;
      expect(first.json["errorMessage"]).toBe("Please enter your 2FA code");
      expect((await login(own, username, { code: "000000" })).json["errorCode"]).toBe("PASSCODE_REFUSED");
      expect((await login(own, username, { code })).status).toBe(200);
      expect((await login(own, username, { code })).json["errorMessage"]).toMatch("already used");
    }
    await own.stop();
  });

  test("FEE-02 a refused code after the right password is a failed login of that person, and the question for a code is none", async () => {
    const own = await createTestApp({ LOGIN_TWO_FACTOR: "all" });
    await own.addAdministrator("wary");
    const code = await own.passcode("wary");
    await login(own, "wary");
    await login(own, "wary", { code: "000000", username: "Wary" });
    await login(own, "wary", { code });
    const { rows } = await own.database.pool.query(
      "select actor, action, description from activity where action in ('LOGIN', 'LOGIN_FAILED') order by id",
    );
    expect(rows).toEqual([
      { actor: "wary", action: "LOGIN_FAILED", description: "Right password and no right 2FA code from 127.0.0.1" },
      { actor: "wary", action: "LOGIN", description: "Signed in from 127.0.0.1" },
    ]);
    expect(JSON.stringify(rows)).not.toContain("000000");
    await own.stop();
  });

  test("who has none yet may only set it up; then everything is open at once", async () => {
    const own = await createTestApp({ LOGIN_TWO_FACTOR: "systemAdministrator" });
    await own.addAdministrator("newboss", ["systemAdministrator"]);
    const answer = await login(own, "newboss");
    const token = (answer.json["data"] as { token: string }).token;
    for (const url of ["/api/users", "/api/node-dashboard", "/api/account/sessions"]) {
      const refused = await send(own, "GET", url, token);
      expect([url, refused.status, refused.message]).toEqual([
        url,
        403,
        expect.stringMatching("Your account needs two-factor authentication"),
      ]);
    }
    expect((await send(own, "GET", "/api/account", token)).data).toMatchObject({ mustEnrolTwoFactor: true, twoFactor: null });
    await enrol(own, token);
    expect((await send(own, "GET", "/api/users", token)).status).toBe(200);
    await own.stop();
  });
});
