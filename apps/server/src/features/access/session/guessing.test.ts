import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newTotpSecret, totpCode } from "#lib/totp.ts";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import { createLoginLimiter, type Guess } from "./login-limiter.ts";
import { createSignInTriesStore } from "./sign-in-tries.store.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ LOGIN_TWO_FACTOR: "all" });
});
afterAll(() => server.stop());

const dayStep = 86_400;
beforeEach(() => server.clock.advance(2 * dayStep));

interface Try {
  password?: string;
  from?: string;
  cookie?: string;
  code?: string;
}
const tryAs = async (name: string, { password = "wrong", from = "192.0.2.1", cookie, code }: Try = {}) => {
  const { status, headers, json } = await server.call({
    method: "POST",
    url: "/api/sessions/administrator",
    payload: { [name.includes("@") ? "email" : "username"]: name, password, ...(code ? { code } : {}) },
    remoteAddress: from,
    headers: cookie ? { cookie } : {},
  });
  const [set] = [headers["set-cookie"]].flat() as (string | undefined)[];
  return { status, said: json["errorMessage"], wait: Number(headers["retry-after"]), set, cookie: set?.split(";")[0] };
};
const right = { password: testPassword };
const wrong = () => Promise.resolve();
/** Another address each time. */
let hosts = 0;
const elsewhere = () => `198.51.${100 + Math.floor(++hosts / 250)}.${hosts % 250}`;

/** As many guesses from everywhere as are let in, `perMinute` each minute of a day. */
async function attack(name: string, minutes: number, perMinute: number, of: () => Try): Promise<number> {
  let letIn = 0;
  for (let minute = 0; minute < minutes; minute++) {
    for (let count = 0; count < perMinute; count++) if ((await tryAs(name, of())).status === 401) letIn++;
    server.clock.advance(60);
  }
  return letIn;
}

describe("A-43 who guesses is slowed down, never the owner", () => {
  test("A-43 guessing from many addresses does not keep the owner's browser out", async () => {
    await server.addAdministrator("owner");
    const { cookie = "" } = await tryAs("owner", { ...right, from: "203.0.113.5" });
    await attack("owner", 8, 15, () => ({ from: elsewhere() }));
    expect((await tryAs("owner", { ...right, from: elsewhere() })).status).toBe(429);
    const again = await tryAs("owner", { ...right, cookie, from: elsewhere() });
    expect(again.status).toBe(200);
    // Also by the e-mail, from the very address that the guesses came from.
    const third = await tryAs("owner@busbar.example", { ...right, cookie: again.cookie ?? "", from: "198.51.100.7" });
    expect(third.status).toBe(200);
  });

  test("A-43 many accounts from one address are slowed down; behind the same address a known browser gets in", async () => {
    await server.addAdministrator("colleague");
    const { cookie = "" } = await tryAs("colleague", { ...right, from: "203.0.113.80" });
    const limiter = createLoginLimiter(createSignInTriesStore(server.database.pool), server.clock);
    const guesses = Array.from({ length: 70 }, (_, index) =>
      limiter.during({ userId: undefined, entry: `unknown${index}`, remoteAddress: "203.0.113.80" }, wrong),
    );
    expect((await Promise.allSettled(guesses)).filter(({ status }) => status === "fulfilled")).toHaveLength(60);
    expect((await tryAs("colleague", { ...right, from: "203.0.113.80" })).status).toBe(429);
    expect((await tryAs("colleague", { ...right, cookie, from: "203.0.113.80" })).status).toBe(200);
  });

  test("A-43 a whole network of IPv6 addresses is one", async () => {
    await server.addAdministrator("sixth");
    for (let count = 0; count < 5; count++) await tryAs("sixth", { from: `2001:db8:1:2::${count}` });
    expect((await tryAs("sixth", { ...right, from: "2001:db8:1:2:ffff::1" })).status).toBe(429);
    expect((await tryAs("sixth", { ...right, from: "2001:db8:1:3::1" })).status).toBe(200);
  });

  test("A-43 a proxy that adds the port, or sends no address, opens no allowance for each connection", async () => {
    await server.addAdministrator("proxied");
    const through = async (forwarded: string) =>
      (
        await server.call({
          method: "POST",
          url: "/api/sessions/administrator",
          payload: { username: "proxied", password: "wrong" },
          remoteAddress: "127.0.0.1",
          headers: { "x-forwarded-for": forwarded },
        })
      ).status;
    const statuses: number[] = [];
    for (let port = 1_001; port <= 1_006; port++) statuses.push(await through(`203.0.113.60:${port}`));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    server.clock.advance(2 * dayStep);
    const invented: number[] = [];
    for (let name = 1; name <= 6; name++) invented.push(await through(`invented${name}`));
    expect(invented).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("A-43 unknown names are limited alike, so that nothing distinguishes them from accounts", async () => {
    await server.addAdministrator("exists");
    const answerFor = async (name: string) => {
      const answers: unknown[] = [];
      for (let count = 0; count < 7; count++) {
        const { status, said, wait } = await tryAs(name, { from: "203.0.113.90" });
        answers.push([status, said, wait]);
      }
      server.clock.advance(dayStep);
      return answers;
    };
    expect(await answerFor("exists")).toEqual(await answerFor("existsnot"));
  });
});

describe("A-43 over a day", () => {
  const limiterOf = () => createLoginLimiter(createSignInTriesStore(server.database.pool), server.clock);
  const halfHours = 48;
  let users = 900_000;
  /** How many guesses are let in within a day, by who tries twelve times each half hour. */
  async function guesses(of: () => Guess): Promise<number> {
    const limiter = limiterOf();
    let letIn = 0;
    for (let step = 0; step < halfHours; step++) {
      for (let count = 0; count < 12; count++)
        letIn += await limiter.during(of(), wrong).then(
          () => 1,
          () => 0,
        );
      server.clock.advance(dayStep / halfHours);
    }
    return letIn;
  }
  const waitOf = async (guess: Guess) =>
    await limiterOf()
      .during(guess, wrong)
      .then(
        () => 0,
        (error: { retryAfterSeconds: number; message: string }) => {
          expect(error.retryAfterSeconds).toBeGreaterThan(0);
          return error.retryAfterSeconds;
        },
      );

  test("A-43 guesses are bounded from however many addresses; the stated wait is true, and the lock fades", async () => {
    const userId = users++;
    const stranger = () => ({ userId, entry: "x", remoteAddress: elsewhere() });
    const letIn = await guesses(stranger);
    expect(letIn).toBeGreaterThanOrEqual(90);
    expect(letIn).toBeLessThanOrEqual(101);
    while ((await waitOf(stranger())) === 0);
    const wait = await waitOf(stranger());
    server.clock.advance(wait - 1);
    expect(await waitOf(stranger())).toBe(1);
    server.clock.advance(1);
    expect(await waitOf(stranger())).toBe(0);
    server.clock.advance(dayStep);
    for (let count = 0; count < 10; count++) expect(await waitOf(stranger())).toBe(0);
  });

  test("A-43 one address uses up its own share of an account, not everyone's", async () => {
    const from = (userId: number, remoteAddress: string) => ({ userId, entry: "x", remoteAddress });
    const userId = users++;
    expect(await guesses(() => from(userId, "203.0.113.66"))).toBeLessThanOrEqual(41);
    expect(await waitOf(from(userId, "203.0.113.67"))).toBe(0);
  });

  test("A-43 a stolen device gives a hundred guesses at most, and none of the owner's other devices waits for them", async () => {
    const userId = users++;
    const stolen = () => ({ userId, entry: "x", remoteAddress: elsewhere(), deviceId: "900001" });
    expect(await guesses(stolen)).toBeLessThanOrEqual(101);
    expect(await waitOf({ ...stolen(), deviceId: "900002" })).toBe(0);
    expect(await waitOf({ ...stolen(), deviceId: undefined })).toBe(0);
  });

  test("A-43 tries at the same moment count one by one", async () => {
    const limiter = limiterOf();
    const guess = { userId: users++, entry: "x", remoteAddress: "203.0.113.70" };
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => limiter.during(guess, wrong)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    await limiter.giveBack(guess);
    await limiter.during(guess, wrong);
    await expect(limiter.during(guess, wrong)).rejects.toMatchObject({ status: 429 });
  });
});

describe("A-43 the cookie of a device", () => {
  test("A-43 is for no script, is new at each sign-in, belongs to one account and cannot be made up", async () => {
    await server.addAdministrator("first");
    await server.addAdministrator("second");
    const one = await tryAs("first", right);
    expect(one.set).toMatch(/^busbar-device-[0-9a-f]{12}=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/);
    const two = await tryAs("first", { ...right, cookie: one.cookie ?? "" });
    expect(two.cookie).not.toBe(one.cookie);
    expect(two.cookie?.split("=")[0]).toBe(one.cookie?.split("=")[0]);
    const other = await tryAs("second", { ...right, cookie: two.cookie ?? "" });
    expect(other.cookie?.split("=")[0]).not.toBe(one.cookie?.split("=")[0]);

    await attack("first", 8, 15, () => ({ from: elsewhere() }));
    const name = one.cookie?.split("=")[0];
    const strangers = [
      one.cookie,
      `${name}=${other.cookie?.split("=")[1]}`,
      other.cookie,
      `${name}=${"A".repeat(43)}`,
      `${name}=`,
      `${name}='; --`,
    ];
    for (const cookie of strangers) expect((await tryAs("first", { ...right, cookie: cookie ?? "", from: elsewhere() })).status).toBe(429);
    expect((await tryAs("first", { ...right, cookie: `a=b; ${two.cookie}; c=d`, from: elsewhere() })).status).toBe(200);
  });

  test("A-43 that no one signed in with for half a year is a stranger's", async () => {
    await server.addAdministrator("absent");
    const { cookie = "" } = await tryAs("absent", right);
    server.clock.advance(179 * dayStep);
    const { cookie: renewed = "" } = await tryAs("absent", { ...right, cookie });
    server.clock.advance(179 * dayStep);
    await attack("absent", 8, 15, () => ({ from: elsewhere() }));
    const { status, cookie: last = "" } = await tryAs("absent", { ...right, cookie: renewed, from: elsewhere() });
    expect(status).toBe(200);
    server.clock.advance(181 * dayStep);
    await attack("absent", 8, 15, () => ({ from: elsewhere() }));
    expect((await tryAs("absent", { ...right, cookie: last, from: elsewhere() })).status).toBe(429);
  });

  test("A-43 over TLS is the host's alone", async () => {
    await server.addAdministrator("overtls");
    const { headers } = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "overtls", password: testPassword },
      headers: { "x-forwarded-proto": "https" },
    });
    expect(String(headers["set-cookie"])).toMatch(/^__Host-busbar-device-[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/);
  });

  test("A-43 a wrong password makes no device known", async () => {
    await server.addAdministrator("unlucky");
    expect((await tryAs("unlucky")).set).toBeUndefined();
  });
});

describe("A-43 2FA codes at sign-in", () => {
  const wrongCode = () => totpCode(newTotpSecret(), server.clock.now() - 86_400_000);

  test("A-43 a stranger who knows the password does not lock the owner's codes, and guesses few of them", async () => {
    await server.addAdministrator("factor");
    const { cookie = "" } = await tryAs("factor", { ...right, code: await server.passcode("factor") });
    // Enrolled by then: the first sign-in was let in to set it up.
    const known = (await tryAs("factor", { ...right, cookie, code: await server.passcode("factor") })).cookie ?? "";
    let guessed = 0;
    for (let minute = 0; minute < 20; minute++) {
      for (let count = 0; count < 12; count++)
        if ((await tryAs("factor", { ...right, code: wrongCode(), from: elsewhere() })).status === 403) guessed++;
      server.clock.advance(60);
    }
    expect(guessed).toBeGreaterThanOrEqual(50);
    expect(guessed).toBeLessThanOrEqual(55);
    expect((await tryAs("factor", { ...right, cookie: known, code: await server.passcode("factor") })).status).toBe(200);
  });
});

test("A-43 wrong passwords of someone signed in hold back that sign-in only", async () => {
  await server.addAdministrator("signedin");
  const token = async (): Promise<string> => {
    const answer = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "signedin", password: testPassword },
    });
    return (answer.json["data"] as { token: string }).token;
  };
  const [stolen, own] = [await token(), await token()];
  const change = async (as: string, password: string) =>
    (await server.call({ method: "POST", url: "/api/account/2fa/enrolment", token: as, payload: { password } })).status;
  const tried: number[] = [];
  for (let count = 0; count < 6; count++) tried.push(await change(stolen, "wrong"));
  expect(tried).toEqual([403, 403, 403, 403, 403, 429]);
  expect(await change(own, "wrong")).toBe(403);
});
