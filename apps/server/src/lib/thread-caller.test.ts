import { expect, test } from "vitest";
import { ThreadFailure, createThreadCaller, type ThreadCallerOptions } from "./thread-caller.ts";

const program = new URL("../testing/odd-thread.ts", import.meta.url);
const caller = (change: Partial<ThreadCallerOptions> = {}) =>
  createThreadCaller<string, string>({ program, busyMessage: "Busy", mostWaiting: 3, patienceMs: 20_000, maxHeapMb: 64, ...change }).ask;

test("questions are answered one after the other, by one thread", async () => {
  const ask = caller();
  expect(await Promise.all([ask("a"), ask("b"), ask("c")])).toEqual(["did a", "did b", "did c"]);
  expect(await ask("id")).toBe(await ask("id"));
});

test.each(["throw", "leave"])("a thread that breaks by %s fails its question only", async (order) => {
  const ask = caller();
  const [failed, next] = await Promise.allSettled([ask(order), ask("a")]);
  expect(failed).toMatchObject({ status: "rejected", reason: { why: "broken" } });
  expect(next).toEqual({ status: "fulfilled", value: "did a" });
});

test("a thread that takes too long is ended", async () => {
  const ask = caller({ patienceMs: 2_000 });
  const slow = ask("hang");
  await expect(slow).rejects.toThrow(new ThreadFailure("slow", "No answer within 2 s"));
  await expect(slow).rejects.toMatchObject({ why: "slow" });
  expect(await ask("a")).toBe("did a");
});

test("more questions than may wait are refused at once, and room comes back", async () => {
  const ask = caller();
  const taken = [ask("a"), ask("b"), ask("c")];
  await expect(ask("d")).rejects.toMatchObject({ status: 429, message: "Busy" });
  await Promise.all(taken);
  expect(await ask("e")).toBe("did e");
});

test("an idle thread ends; the next question starts another", async () => {
  const ask = caller({ idleMs: 1 });
  const first = await ask("id");
  await expect.poll(() => ask("id"), { interval: 50 }).not.toBe(first);
});
