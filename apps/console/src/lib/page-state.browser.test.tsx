import { expect, onTestFinished, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { afterPress } from "./after-press.ts";
import { announce, useAnnouncement } from "./announcer.ts";
import { isBlockedOrigin, watchBlockedOrigins } from "./blocked-origins.ts";
import { useClock } from "./clock.ts";
import { pageCookies } from "./cookies.ts";
import { dataAddress } from "./data-address.ts";
import { csvOf, downloadFile } from "./download.ts";
import { readRuntimeConfig } from "./runtime-config.ts";

test("what a press would move away waits for its end, or for that of a drag, and happens once", async () => {
  const acted: string[] = [];
  const note = (what: string) => () => void acted.push(what);
  afterPress(note("at once"));
  for (const end of ["mouseup", "dragend"]) {
    window.dispatchEvent(new MouseEvent("mousedown"));
    const press = note(`after ${end}`);
    afterPress(press);
    afterPress(press);
    window.dispatchEvent(new MouseEvent(end));
    // After the click that comes with it.
    expect(acted.at(-1)).not.toBe(`after ${end}`);
    await expect.poll(() => acted.at(-1)).toBe(`after ${end}`);
    afterPress(note("at once"));
  }
  expect(acted).toEqual(["at once", "after mouseup", "at once", "after dragend", "at once"]);
});

test("the same words twice are a change to who hears them", async () => {
  onTestFinished(() => announce(""));
  const { result, act } = await renderHook(() => useAnnouncement());
  await act(() => announce("Saved"));
  expect(result.current).toBe("Saved");
  await act(() => announce("Saved"));
  expect(result.current).toBe("Saved\u00A0");
  await act(() => announce("Saved"));
  expect(result.current).toBe("Saved");
});

test("one clock ticks for all who look at it, and stops with the last of them", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: 1_795_000_000_900 });
  onTestFinished(() => void vi.useRealTimers());
  const drawn = vi.fn<() => void>();
  const first = await renderHook(() => useClock((now) => now));
  const second = await renderHook(() => (drawn(), useClock((now) => Math.floor(now / 10))));
  expect([first.result.current, second.result.current, vi.getTimerCount()]).toEqual([1_795_000_000, 179_500_000, 1]);
  const before = drawn.mock.calls.length;
  await first.act(() => vi.advanceTimersByTime(1_000));
  expect(first.result.current).toBe(1_795_000_001);
  expect(drawn).toHaveBeenCalledTimes(before);
  await first.act(() => vi.advanceTimersByTime(9_000));
  expect(second.result.current).toBe(179_500_001);
  await first.unmount();
  expect(vi.getTimerCount()).toBe(1);
  await second.unmount();
  expect(vi.getTimerCount()).toBe(0);
  vi.setSystemTime(1_795_000_100_000);
  const third = await renderHook(() => useClock((now) => now));
  expect(third.result.current).toBe(1_795_000_100);
  await third.unmount();
});

test("a cookie of this page is read back as it was, for this site only, until it ends or is taken away", () => {
  const written = vi.spyOn(Document.prototype, "cookie", "set");
  onTestFinished(() => written.mockRestore());
  onTestFinished(() => pageCookies.remove("kept"));
  expect(pageCookies.read("kept")).toBeUndefined();
  const before = Date.now();
  pageCookies.write("kept", "a=b; c é%", 1.5);
  expect(pageCookies.read("kept")).toBe("a=b; c é%");
  expect(pageCookies.read("kep")).toBeUndefined();
  const line = written.mock.calls[0]![0];
  expect(line).toMatch(/; path=\/; SameSite=Strict$/);
  const end = Date.parse(/expires=([^;]+)/.exec(line)![1]!);
  expect(Math.abs(end - before - 1.5 * 86_400_000)).toBeLessThan(60_000);
  document.cookie = "kept=%E0%A4%A; path=/";
  expect(pageCookies.read("kept")).toBeUndefined();
  pageCookies.remove("kept");
  expect(document.cookie).not.toContain("kept=");
});

test("which origins the page's policy refused to call is known, of calls only", () => {
  watchBlockedOrigins();
  const refuse = (effectiveDirective: string, blockedURI: string) =>
    document.dispatchEvent(new SecurityPolicyViolationEvent("securitypolicyviolation", { effectiveDirective, blockedURI }));
  refuse("connect-src", "https://v2.example:5000/api/v2/x");
  refuse("img-src", "https://pictures.example/x");
  refuse("connect-src", "inline");
  expect(["https://v2.example:5000", "https://pictures.example", "inline"].map(isBlockedOrigin)).toEqual([true, false, false]);
});

test("bytes become an address, a file of a name, or rows of a table", async () => {
  const clicked: [string, string][] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(this: HTMLAnchorElement) {
    clicked.push([this.download, this.href]);
  });
  const revoked = vi.spyOn(URL, "revokeObjectURL");
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await dataAddress(new Blob(["hi"], { type: "text/plain" }))).toBe("data:text/plain;base64,aGk=");
  const rows = csvOf([
    ["a", 'b "c"'],
    [1, null],
  ]);
  expect(rows.type).toBe("text/csv;charset=utf-8");
  downloadFile("rows.csv", rows);
  expect(clicked).toEqual([["rows.csv", expect.stringMatching(/^blob:/)]]);
  expect(revoked).toHaveBeenCalledWith(clicked[0]![1]);
});

test("what the server wrote into the page counts, and nothing is an empty page's", () => {
  const page = document.implementation.createHTMLDocument();
  const usual = readRuntimeConfig(page);
  const written = page.createElement("script");
  written.id = "runtime-config";
  written.type = "application/json";
  written.textContent = '{"productionHosts":["console.example"]}';
  page.body.append(written);
  expect(readRuntimeConfig(page)).toEqual({ ...usual, productionHosts: ["console.example"] });
});
