import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#http/endpoints.ts";
import { newTotpSecret, totpCode, totpPeriodSeconds } from "#lib/totp.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { lockSeconds } from "./two-factor.service.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

async function callerNamed(username: string): Promise<Caller> {
  await server.addAdministrator(username);
  const { rows } = await server.database.pool.query<{ id: number }>("select id from app_user where username = $1", [username]);
  return { sessionId: "00000000-0000-4000-8000-000000000000", userId: rows[0]!.id, username, roles: [] };
}

const use = (caller: Caller, code: string) =>
  server.context.twoFactor.usePasscode(caller, code).then(
    () => "right",
    (error: { status: number; message: string }) => `${error.status} ${error.message}`,
  );

/** A code of a secret that is no one's. */
const wrongCode = () => totpCode(newTotpSecret(), server.clock.now() - 86_400_000);

describe("SEC-03 2FA codes", () => {
  test("are used once, also when many use one at the same moment", async () => {
    const caller = await callerNamed("once");
    const code = await server.passcode("once");
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(caller, code)));
    expect(answers.filter((answer) => answer === "right")).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(["right", "403 This 2FA code was already used. Wait for the next one"]));
    expect(await use(caller, await server.passcode("once"))).toBe("right");
  });

  test("of another person, of long ago or of no form are wrong", async () => {
    const caller = await callerNamed("mine");
    await callerNamed("theirs");
    const code = await server.passcode("mine");
    const wrong = "403 The 2FA code is not right";
    expect(await use(caller, await server.passcode("theirs"))).toBe(wrong);
    server.clock.advance(10 * totpPeriodSeconds);
    expect(await use(caller, code)).toBe(wrong);
    expect(await use(caller, "abc")).toBe(wrong);
  });

  test("five wrong ones lock for 15 minutes, also for a right one, and leave a row", async () => {
    const caller = await callerNamed("guesser");
    await server.passcode("guesser");
    for (let count = 1; count <= 4; count++) expect(await use(caller, wrongCode())).toBe("403 The 2FA code is not right");
    expect(await use(caller, wrongCode())).toBe("429 Too many wrong 2FA codes. Try again in 15 min");
    expect(await use(caller, await server.passcode("guesser"))).toBe("429 Too many wrong 2FA codes. Try again in 15 min");
    const { rows } = await server.database.pool.query("select actor from activity where action = 'PASSCODE_LOCKED'");
    expect(rows).toEqual([{ actor: "guesser" }]);
    server.clock.advance(lockSeconds);
    expect(await use(caller, await server.passcode("guesser"))).toBe("right");
  });

  test("need a second factor that is set up", async () => {
    const caller = await callerNamed("nofactor");
    expect(await use(caller, "123456")).toBe("403 Your account has no two-factor authentication yet. Set it up first");
  });
});
