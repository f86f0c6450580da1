import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Client } from "#api/client.ts";
import type { CookieJar } from "#lib/cookies.ts";
import { createSessionKeeper } from "./session-keeper.ts";
import { createSessionStore, rolesCookie, tokenCookie, tokenDays } from "./session-store.ts";

const issued = 1_795_000_000;
const tokenOf = (iat: number, life = 86_400) =>
  `h.${Buffer.from(JSON.stringify({ iat, exp: iat + life, name: "Demo", username: "demo" })).toString("base64url")}.s`;

function memoryCookies(): CookieJar & { written: [string, number][] } {
  const values = new Map<string, string>();
  const written: [string, number][] = [];
  return {
    written,
    read: (name) => values.get(name),
    write: (name, value, days) => {
      written.push([name, days]);
      values.set(name, value);
    },
    remove: (name) => void values.delete(name),
  };
}

function setUp(answer: () => Promise<unknown> = () => Promise.reject(new Error("no answer"))) {
  const cookies = memoryCookies();
  const notifyOtherTabs = vi.fn<(why?: string) => void>();
  const store = createSessionStore(cookies, notifyOtherTabs);
  const call = vi.fn<() => Promise<unknown>>(answer);
  let now = issued;
  const onCycle = vi.fn<() => void>();
  const keeper = createSessionKeeper({ store, call: call as unknown as Client, nowSeconds: () => now, onCycle });
  return { cookies, notifyOtherTabs, store, call, keeper, onCycle, at: (seconds: number) => void (now = issued + seconds) };
}

describe("the session of this browser", () => {
  test("SES-01 token and roles are kept in cookies of 0.02085 days, and come back from them", () => {
    const { cookies, store } = setUp();
    store.set(tokenOf(issued), ["systemAdministrator"]);
    expect(cookies.written).toEqual([
      [rolesCookie, tokenDays],
      [tokenCookie, tokenDays],
    ]);
    expect(tokenDays).toBe(0.02085);
    expect(createSessionStore(cookies, () => {}).get()?.roles).toEqual(["systemAdministrator"]);
  });

  test("SES-01 extending writes both cookies again, but never brings back one that is gone", () => {
    const { cookies, store } = setUp();
    store.set(tokenOf(issued), []);
    cookies.written.length = 0;
    store.extendCookies();
    expect(cookies.written.map(([name]) => name)).toEqual([rolesCookie, tokenCookie]);
    cookies.remove(tokenCookie);
    cookies.written.length = 0;
    store.extendCookies();
    expect(cookies.written).toEqual([]);
  });

  test("SES-04 clearing removes both cookies, the token and the roles, and notifies the other tabs", () => {
    const { cookies, store, notifyOtherTabs } = setUp();
    store.set(tokenOf(issued), ["accountsAdministrator"]);
    store.clear();
    expect([cookies.read(tokenCookie), cookies.read(rolesCookie), store.get()]).toEqual([undefined, undefined, undefined]);
    expect(notifyOtherTabs).toHaveBeenCalledTimes(2);
  });

  test("A-28 why a session ended is known here and in the other tabs; a token that another tab has refreshed ends nothing", () => {
    const { cookies, store, notifyOtherTabs } = setUp();
    const [old, fresh] = [tokenOf(issued), tokenOf(issued + 900)];
    store.set(old, []);
    cookies.write(tokenCookie, fresh, 1);
    store.endedFor(old, "Your account is suspended");
    expect([store.get()?.token, store.whyOver()]).toEqual([fresh, undefined]);
    store.endedFor(fresh, "Your account is suspended");
    expect([store.get(), store.whyOver()]).toEqual([undefined, "Your account is suspended"]);
    expect(notifyOtherTabs).toHaveBeenLastCalledWith("Your account is suspended");
    const other = createSessionStore(cookies, () => {});
    store.set(fresh, []);
    other.followCookies();
    cookies.remove(tokenCookie);
    other.followCookies("Your account is suspended");
    expect([other.get(), other.whyOver()]).toEqual([undefined, "Your account is suspended"]);
  });

  test("SES-05 a token with less than 900 s left is not handed out", () => {
    const { store } = setUp();
    store.set(tokenOf(issued, 1_000), []);
    expect(store.validToken(issued + 100)).toBeDefined();
    expect(store.validToken(issued + 101)).toBeUndefined();
  });

  test("an edited roles cookie gives no roles", () => {
    const { cookies } = setUp();
    cookies.write(tokenCookie, tokenOf(issued), 1);
    for (const text of ["{", "7", '{"a":1}', "[1,null]"]) {
      cookies.write(rolesCookie, text, 1);
      expect(createSessionStore(cookies, () => {}).get()?.roles).toEqual([]);
    }
  });
});

describe("the cycle of 10 s", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));

  test("ENV-07 SES-02 each cycle requests updates; a token near its end clears the session", async () => {
    const { store, keeper, onCycle, call, at } = setUp();
    store.set(tokenOf(issued, 2_000), []);
    at(1_101);
    await keeper.check();
    expect([store.get(), onCycle.mock.calls.length, call.mock.calls.length]).toEqual([undefined, 1, 0]);
  });

  test("SES-01 SES-02 a cycle is at once and every ten seconds, cookies are extended each minute, until it is stopped", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { cookies, store, keeper, onCycle } = setUp();
    store.set(tokenOf(issued), []);
    cookies.written.length = 0;
    keeper.start();
    const after = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return [onCycle.mock.calls.length, cookies.written.length];
    };
    expect([0, 9_999, 1, 49_999, 1].map(after)).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
      [6, 0],
      [7, 2],
    ]);
    keeper.stop();
    expect(after(600_000)).toEqual([7, 2]);
  });

  test("SES-02 a cookie that is gone ends the session", async () => {
    const { cookies, store, keeper } = setUp();
    store.set(tokenOf(issued), []);
    cookies.remove(tokenCookie);
    await keeper.check();
    expect(store.get()).toBeUndefined();
  });

  test("SES-03 after 900 s the token and the roles are refreshed", async () => {
    const { store, keeper, call, at } = setUp(async () => ({ token: tokenOf(issued + 900), roles: ["accountsAdministrator"] }));
    store.set(tokenOf(issued), []);
    at(899);
    await keeper.check();
    expect(call).not.toHaveBeenCalled();
    at(900);
    await keeper.check();
    expect(call).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ method: "PATCH", path: "/sessions" }), {
      body: { duration: 86_400 },
    });
    expect([store.get()?.token, store.get()?.roles]).toEqual([tokenOf(issued + 900), ["accountsAdministrator"]]);
  });

  test("SES-03 a failed refresh is only logged, and tried again at the next cycle", async () => {
    const { store, keeper, call, at } = setUp();
    store.set(tokenOf(issued), []);
    at(1_000);
    await keeper.check();
    await keeper.check();
    expect([call.mock.calls.length, store.get()?.token]).toEqual([2, tokenOf(issued)]);
    expect(console.warn).toHaveBeenCalled();
  });

  test("a refresh that answers after signing out does not sign in again", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { store, keeper, at } = setUp(() => answer.promise);
    store.set(tokenOf(issued), []);
    at(1_000);
    const checked = keeper.check();
    store.clear();
    answer.resolve({ token: tokenOf(issued + 1_000), roles: [] });
    await checked;
    expect(store.get()).toBeUndefined();
  });
});
