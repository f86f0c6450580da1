import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import type { ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { conflict } from "#lib/errors.ts";
import { silentLog } from "#lib/log.ts";
import type { Caller } from "./endpoints.ts";
import { importCalls } from "./import-answer.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const caller = {} as Caller;
const body = new Uint8Array();

/** An import that goes on as the test says. */
function begin() {
  const work = Promise.withResolvers<ImportPlan>();
  let onStep = (_done: number, _total: number) => {};
  const plan = (_caller: Caller, _bytes: Uint8Array, step: typeof onStep) => ((onStep = step), work.promise);
  const answer = importCalls({ plan, run: () => Promise.reject(new Error("not asked")) }, silentLog).plan({ body }, { caller });
  const said = async () => (await text((await answer).body as Readable)).trimEnd().split("\n");
  return { answer, said, step: (done: number, total: number) => onStep(done, total), ...work };
}

test("how far an import is is said again while nothing else is to be said, and no more when it is over", async () => {
  const { answer, said, step, resolve } = begin();
  vi.advanceTimersByTime(5_000);
  step(3, 9);
  vi.advanceTimersByTime(10_000);
  resolve({ steps: [] } as unknown as ImportPlan);
  expect(await answer).toMatchObject({ status: 200, headers: { "content-type": "application/x-ndjson" } });
  expect((await said()).map((line): unknown => JSON.parse(line))).toEqual([
    { done: 0, total: 0 },
    { done: 3, total: 9 },
    { done: 3, total: 9 },
    { done: 3, total: 9 },
    { plan: { steps: [] } },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what is refused at once is an answer like any other, later it is the last line: a sentence for a refusal, none for a fault", async () => {
  const atOnce = begin();
  atOnce.reject(conflict("It changed"));
  await expect(atOnce.answer).rejects.toMatchObject({ status: 409, message: "It changed" });
  for (const [error, words] of [
    [conflict("It changed"), "It changed"],
    [new Error("secret"), "The import failed"],
  ] as const) {
    const { said, step, reject } = begin();
    step(1, 2);
    reject(error);
    expect((await said()).at(-1)).toBe(JSON.stringify({ failure: `${words}. Nothing was changed` }));
  }
  expect(vi.getTimerCount()).toBe(0);
});
