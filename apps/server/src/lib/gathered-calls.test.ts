import { beforeEach, expect, test } from "vitest";
import { gatherCalls } from "./gathered-calls.ts";

let asked: (readonly number[])[];
let answers: PromiseWithResolvers<ReadonlyMap<number, string>>[];
let ask: (key: number) => Promise<string | undefined>;
beforeEach(() => {
  [asked, answers] = [[], []];
  ask = gatherCalls((keys) => {
    asked.push(keys);
    const answer = Promise.withResolvers<ReadonlyMap<number, string>>();
    answers.push(answer);
    return answer.promise;
  }, 3);
});

const answer = (index: number) => answers[index]!.resolve(new Map(asked[index]!.filter((key) => key < 100).map((key) => [key, `v${key}`])));

test("what is asked at once is one question, of each key once and of so many at most; who asks meanwhile waits for the next", async () => {
  const first = [1, 2, 1, 3, 4].map(ask);
  await expect.poll(() => asked).toEqual([[1, 2, 3]]);
  // Its answer may be older than this call.
  const later = [ask(1), ask(200)];
  answer(0);
  await expect
    .poll(() => asked)
    .toEqual([
      [1, 2, 3],
      [4, 1, 200],
    ]);
  answer(1);
  expect(await Promise.all([...first, ...later])).toEqual(["v1", "v2", "v1", "v3", "v4", "v1", undefined]);
});

test("a question that fails fails for those who asked it, and the next one is asked", async () => {
  const failed = [ask(1).catch(String), ask(2).catch(String)];
  await expect.poll(() => asked.length).toBe(1);
  const next = ask(5);
  answers[0]!.reject(new Error("away"));
  expect(await Promise.all(failed)).toEqual(["Error: away", "Error: away"]);
  await expect.poll(() => asked.length).toBe(2);
  answer(1);
  expect(await next).toBe("v5");
  // It begins anew after a rest.
  const last = ask(6);
  await expect.poll(() => asked.length).toBe(3);
  answer(2);
  expect(await last).toBe("v6");
});
