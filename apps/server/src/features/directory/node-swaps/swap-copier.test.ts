import { errorCodes } from "@busbar/contract/errors.ts";
import type { NodeSwap } from "@busbar/contract/directory/node-swaps.ts";
import { beforeEach, expect, test } from "vitest";
import type { Caller } from "#http/endpoints.ts";
import { AppError } from "#lib/errors.ts";
import { silentLog } from "#lib/log.ts";
import type { SwapCopyStore } from "./node-swaps.store.ts";
import { createSwapCopier, type SwapCopier } from "./swap-copier.ts";

let calls: unknown[][];
let present: Record<string, string>;
/** What the node answers to a value; nothing where it takes it. */
let answers: Record<string, () => Error | undefined>;
let isAtPlace: boolean;
let copier: SwapCopier;

beforeEach(() => {
  [calls, present, answers, isAtPlace] = [[], { a: "1", b: "2", c: "3" }, {}, true];
  const store: SwapCopyStore = {
    take: (...args) => Promise.resolve(calls.push(["take", ...args]) > 0),
    settle: (...args) => Promise.resolve(calls.push(["settle", ...args]) > 0 && isAtPlace),
    release: (...args) => Promise.resolve(void calls.push(["release", ...args])),
  };
  copier = createSwapCopier({
    store,
    nodeConfig: {
      read: () => Promise.resolve(present),
      changeAllowed(_caller, { key, newValue, oldValue }) {
        calls.push(["change", key, oldValue, newValue]);
        const refusal = answers[key]?.();
        return refusal ? Promise.reject(refusal) : Promise.resolve(newValue);
      },
    },
    log: silentLog,
    answerTimeoutMs: 20_000,
  });
});

const refused = (errorCode: string, message: string, status = 409) => new AppError(status, errorCode, message);
const valuesOf = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, state: "waiting" as const, detail: "" }));
async function copy(values: NodeSwap["values"]) {
  await copier.start({ username: "ada" } as Caller, { id: 7, newSerialNumber: "40001", values } as unknown as NodeSwap);
  await copier.stop();
  const settled = calls.flatMap(([what, , key, state, detail]) => (what === "settle" ? [[key, state, detail].join(" ").trim()] : []));
  return { settled, released: calls.filter(([what]) => what === "release").map(([, id, reason]) => [id, reason]) };
}

test("A-63 each value is held for the time of an answer and five seconds, and written down as sent before it leaves", async () => {
  const work = copier.start(
    { username: "ada" } as Caller,
    { id: 7, newSerialNumber: "40001", values: valuesOf({ a: "5" }) } as unknown as NodeSwap,
  );
  await work;
  await expect.poll(() => calls.at(-1)).toEqual(["release", 7, ""]);
  expect(calls).toEqual([
    ["take", 7, "ada", 25_000],
    ["settle", 7, "a", "sent", "", 25_000],
    ["change", "a", "1", "5"],
    ["settle", 7, "a", "confirmed", "", 25_000],
    ["release", 7, ""],
  ]);
});

test("A-63 a copier that is stopped says so, and begins nothing more", async () => {
  expect((await copy(valuesOf({ a: "5", b: "6" }))).released).toEqual([[7, "The server was stopped"]]);
  calls = [];
  expect(await copier.start({ username: "ada" } as Caller, { id: 8 } as NodeSwap)).toBe(false);
  expect(calls).toEqual([]);
});

async function copyToEnd(values: NodeSwap["values"]) {
  await copier.start({ username: "ada" } as Caller, { id: 7, newSerialNumber: "40001", values } as unknown as NodeSwap);
  await expect.poll(() => calls.at(-1)?.[0]).toBe("release");
  const settled = calls.flatMap(([what, , key, state, detail]) => (what === "settle" && state !== "sent" ? [[key, state, detail]] : []));
  return { settled, reason: calls.at(-1)?.[2] };
}

test("A-63 what the node has already is confirmed, what it does not know is refused, and neither is sent", async () => {
  const confirmed = { key: "c", value: "9", state: "confirmed" as const, detail: "" };
  expect(await copyToEnd([...valuesOf({ a: "1", x: "9" }), confirmed])).toEqual({
    settled: [
      ["a", "confirmed", ""],
      ["x", "refused", "Node 40001 does not know x"],
    ],
    reason: "",
  });
  expect(calls.some(([what]) => what === "change")).toBe(false);
});

test("A-63 a value that is refused for another one is tried again once others are there, and as long as that helps", async () => {
  let isEarly = true;
  answers = {
    a: () => (isEarly ? refused(errorCodes.invalid, "newValue: is too high", 400) : undefined),
    b: () => void (isEarly = false),
    c: () => refused(errorCodes.conflict, "Node 40001 does not allow 9 for c"),
  };
  expect((await copyToEnd(valuesOf({ a: "5", b: "6", c: "9" }))).settled).toEqual([
    ["a", "refused", "is too high"],
    ["b", "confirmed", ""],
    ["c", "refused", "Node 40001 does not allow 9 for c"],
    ["a", "confirmed", ""],
  ]);
});

test.each([
  [errorCodes.nodeNotConnected, "waiting"],
  [errorCodes.nodeSilent, "unknown"],
])("A-63 after %s a value is %s, and no more is said to the node", async (code, state) => {
  answers = { a: () => refused(code, "It is gone", 503) };
  expect(await copyToEnd(valuesOf({ a: "5", b: "6" }))).toEqual({ settled: [["a", state, "It is gone"]], reason: "It is gone" });
});

test("A-63 nothing is sent once the node has left the place; what fails here says so", async () => {
  isAtPlace = false;
  expect(await copyToEnd(valuesOf({ a: "5", b: "6" }))).toEqual({ settled: [["a", "waiting", ""]], reason: "" });
  calls = [];
  expect((await copyToEnd(valuesOf({ a: "1", b: "6" }))).reason).toBe("Node 40001 left the place");
  calls = [];
  answers = { a: () => new TypeError("x is undefined") };
  isAtPlace = true;
  expect((await copyToEnd(valuesOf({ a: "5" }))).reason).toBe("The server failed");
});
