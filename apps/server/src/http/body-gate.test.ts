import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import { describe, expect, test } from "vitest";
import { createBodyGate, type BodyGate, type BodyHolder, type BodyLimits } from "./body-gate.ts";

const holder = (key: string, customer?: string, network = key): BodyHolder => ({ key, customer, network });
const limits = { bytes: 100, atOnce: 4, ofKey: 2, ofCustomer: 3, ofNetwork: 3, idleMs: 60_000 };

/** A body that comes as the test says; `outcome` is its text, or the status of its refusal. */
function upload(gate: BodyGate, whose: BodyHolder) {
  const body = new PassThrough();
  const raw = new EventEmitter();
  const headers: Record<string, string> = {};
  const reply = { raw, header: (name: string, value: string) => void (headers[name] = value) } as unknown as FastifyReply;
  const outcome = gate.read(body, whose, reply).then(
    (bytes) => bytes.toString(),
    (error: { status: number }) => error.status,
  );
  return { body, outcome, headers, answered: () => raw.emit("close") };
}
const began = async (gate: BodyGate, whose: BodyHolder) => {
  const one = upload(gate, whose);
  one.body.write("x");
  await new Promise((resolve) => setImmediate(resolve));
  return one;
};
const whole = async (gate: BodyGate, whose: BodyHolder) => {
  const one = upload(gate, whose);
  one.body.end("whole");
  const outcome = await one.outcome;
  one.answered();
  return outcome;
};
const gateWith = (more: Partial<BodyLimits> = {}) => createBodyGate({ ...limits, ...more });

describe("A-42 places for large bodies", () => {
  test("who has sent no byte yet holds none", async () => {
    const gate = gateWith();
    const silent = Array.from({ length: 50 }, () => upload(gate, holder("a")));
    expect(await whole(gate, holder("a"))).toBe("whole");
    for (const { body } of silent) body.destroy();
    expect(await Promise.all(silent.map(({ outcome }) => outcome))).toEqual(silent.map(() => 400));
  });

  test("a key has its share, until it is answered or goes away", async () => {
    const gate = gateWith();
    const [first, second] = [await began(gate, holder("a")), await began(gate, holder("a"))];
    expect(await whole(gate, holder("a"))).toBe(429);
    expect(await whole(gate, holder("b"))).toBe("whole");
    first.body.end();
    await first.outcome;
    expect(await whole(gate, holder("a"))).toBe(429);
    first.answered();
    expect(await whole(gate, holder("a"))).toBe("whole");
    second.body.destroy();
    expect(await second.outcome).toBe(400);
  });

  test("the keys of one customer, and of one network, have a share together; the one with more gives way to the one with fewer", async () => {
    const sameCustomer = gateWith();
    await began(sameCustomer, holder("a", "1"));
    const newest = await began(sameCustomer, holder("a", "1"));
    await began(sameCustomer, holder("b", "1"));
    expect(await whole(sameCustomer, holder("c", "1"))).toBe("whole");
    expect([await newest.outcome, newest.headers]).toEqual([429, { connection: "close" }]);
    const sameNetwork = gateWith();
    for (const key of ["a", "b", "c"]) await began(sameNetwork, holder(key, key, "n"));
    expect(await whole(sameNetwork, holder("d", "d", "n"))).toBe(429);
    expect(await whole(sameNetwork, holder("d", "d", "m"))).toBe("whole");
  });

  test("keys of no customer have no share together", async () => {
    const gate = gateWith({ ofCustomer: 1 });
    await began(gate, holder("a"));
    expect(await whole(gate, holder("b"))).toBe("whole");
    await began(gate, holder("c", "1"));
    expect(await whole(gate, holder("d", "1"))).toBe(429);
  });

  test("when all are taken, no one without one is refused while another key has two", async () => {
    const gate = gateWith();
    for (const key of ["a", "a", "b", "b"]) await began(gate, holder(key));
    for (const key of ["c", "d"]) await began(gate, holder(key));
    expect(await whole(gate, holder("e"))).toBe(429);
  });

  test("a body that is whole already is not cut for anyone", async () => {
    const gate = gateWith({ atOnce: 2 });
    const stored = [upload(gate, holder("a")), upload(gate, holder("a"))];
    for (const { body } of stored) body.end("whole");
    expect(await Promise.all(stored.map(({ outcome }) => outcome))).toEqual(["whole", "whole"]);
    expect(await whole(gate, holder("b"))).toBe(429);
  });

  test.each([
    ["stalls", 0],
    ["comes byte by byte", 5],
  ])("a body that %s is cut, and its place is free", async (_what, everyMs) => {
    const gate = gateWith({ idleMs: 40, bytesPerSecond: 2_048, ofKey: 1 });
    const slow = await began(gate, holder("a"));
    const timer = everyMs > 0 && setInterval(() => slow.body.write("x"), everyMs);
    expect([await slow.outcome, slow.headers]).toEqual([408, { connection: "close" }]);
    if (timer) clearInterval(timer);
    expect(await whole(gate, holder("a"))).toBe("whole");
  });

  test("a body that is too long is refused where it becomes so", async () => {
    const gate = gateWith();
    const long = upload(gate, holder("a"));
    long.body.write("x".repeat(100));
    long.body.write("x");
    expect([await long.outcome, long.body.isPaused()]).toEqual([413, true]);
  });
});
