import { describe, expect, test } from "vitest";
import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createManualWire } from "#testing/manual-wire.ts";
import { sampleNode } from "#testing/sample-node.ts";
import { createConnectRamp } from "./connect-ramp.ts";
import { createDevice } from "./device/device.ts";
import { createFleetCounters } from "./fleet-counters.ts";
import { createPlant } from "./node-model/plant.ts";
import { createVirtualNode } from "./virtual-node.ts";

const start = 1_770_000_000;
const second = 1000;
const hour = 3600 * second;

/** One healthy node, with time and wire in the test's hands. */
function nodeInHand() {
  const clock = createManualClock(start * 1000);
  const wire = createManualWire();
  const counters = createFleetCounters();
  const plant = createPlant({ seed: 5, nodes: [sampleNode()], faultScale: 0, script: [] });
  const node = createVirtualNode({
    seed: 5,
    devices: [createDevice(plant.nodes.get(10234)!)],
    createTransport: wire.create,
    clock,
    network: clock,
    ramp: createConnectRamp(clock, 200),
    hostId: sparkplugHostId,
    birthDelayMaxSeconds: 30,
    drainPerSecond: 20,
    qos: 0,
    backfillSeconds: 0,
    maxLagSeconds: 600,
    counters,
    log: () => undefined,
    files: undefined,
  });
  node.start();
  const bornAgain = () => {
    clock.advance(2 * second);
    wire.accept();
    wire.host(true);
    clock.advance(30 * second);
  };
  const historical = () =>
    wire.published
      .filter(({ topic }) => topic.includes("/NDATA/"))
      .flatMap(({ payload }) => decodePayload(payload).metrics.find(({ alias }) => alias === 1) ?? [])
      .filter(({ isHistorical }) => isHistorical)
      .map(({ timestamp }) => timestamp! / 1000 - start);
  return { clock, wire, counters, node, bornAgain, historical };
}

describe("connecting", () => {
  test("births a random time after the host is online, never later than the longest delay", () => {
    const { clock, wire, counters } = nodeInHand();
    clock.advance(2 * second);
    expect(wire.opened).toHaveLength(1);
    wire.accept();
    clock.advance(60 * second);
    expect(counters.births).toBe(0);
    wire.host(true);
    expect(counters.births).toBe(0);
    clock.advance(30 * second);
    expect(counters.births).toBe(1);
  });

  test("births when the broker sends the host's state before it confirms the subscription", () => {
    const { clock, wire, counters } = nodeInHand();
    clock.advance(2 * second);
    wire.host(true);
    expect(counters.births).toBe(0);
    wire.accept();
    clock.advance(30 * second);
    expect(counters.births).toBe(1);
  });

  test("waits ever longer after tries that fail, a minute at most, and begins anew once it was born", () => {
    const { clock, wire, bornAgain } = nodeInHand();
    const triedWithin = (seconds: number) => {
      const before = wire.opened.length;
      clock.advance(seconds * second);
      return wire.opened.length - before;
    };
    expect(triedWithin(2)).toBe(1);
    for (let tries = 0; tries < 8; tries++) {
      wire.refuse();
      expect(triedWithin(62)).toBe(1);
    }
    bornAgain();
    wire.refuse();
    expect(triedWithin(2)).toBe(1);
  });

  test("a host that goes before the delay is over gets no birth", () => {
    const { clock, wire, counters } = nodeInHand();
    clock.advance(2 * second);
    wire.accept();
    wire.host(true, 10);
    wire.host(false, 11);
    clock.advance(60 * second);
    expect(counters.births).toBe(0);
    wire.host(true, 12);
    clock.advance(30 * second);
    expect(counters.births).toBe(1);
  });

  test("refused connections are tried ever more slowly, each with the next bdSeq, at least once a minute", () => {
    const { clock, wire } = nodeInHand();
    const attempts: number[] = [];
    for (let elapsed = 0; elapsed < 1800; elapsed++) {
      const before = wire.opened.length;
      clock.advance(second);
      if (wire.opened.length === before) continue;
      attempts.push(elapsed);
      wire.refuse();
    }
    const gaps = attempts.slice(1).map((at, i) => at - attempts[i]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(62);
    expect(attempts.length).toBeGreaterThan(30);
    expect(attempts.length).toBeLessThan(120);
    const bdSeqs = wire.opened.map(({ will }) => decodePayload(will.payload).metrics[0]!.value);
    expect(bdSeqs.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("buffer", () => {
  test("keeps a day, drops what is older, and drains in order at 20 a second", async () => {
    const { clock, counters, node, bornAgain, historical } = nodeInHand();
    clock.advance(30 * hour);
    expect(node.buffered).toBe(8641);
    bornAgain();
    const drained = counters.historical;
    clock.advance(10 * second);
    expect(counters.historical - drained).toBeGreaterThanOrEqual(190);
    expect(counters.historical - drained).toBeLessThanOrEqual(201);
    clock.advance(0.25 * hour);
    expect(node.buffered).toBe(0);
    const times = historical();
    expect(times[0]).toBeGreaterThan(6 * 3600 - 20);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    await node.stop();
  });

  test("after a reconnect the last two minutes come again, and not much more", async () => {
    const { clock, wire, node, bornAgain, historical } = nodeInHand();
    bornAgain();
    clock.advance(hour);
    const sentBefore = historical().length;
    const cutAt = clock.now() / 1000 - start;
    wire.refuse();
    bornAgain();
    clock.advance(30 * second);
    const resent = historical()
      .slice(sentBefore)
      .filter((t) => t <= cutAt);
    expect(resent.length).toBeGreaterThanOrEqual(12);
    expect(resent.length).toBeLessThanOrEqual(19);
    expect(Math.min(...resent)).toBeLessThanOrEqual(cutAt - 110);
    await node.stop();
  });

  test("while the peer does not read, scalars wait; they follow when it reads again", async () => {
    const { clock, wire, node, bornAgain, historical } = nodeInHand();
    bornAgain();
    clock.advance(60 * second);
    const before = historical().length;
    wire.takesData = false;
    clock.advance(100 * second);
    expect(node.buffered).toBe(10);
    wire.takesData = true;
    clock.advance(20 * second);
    expect(node.buffered).toBe(0);
    expect(historical().length - before).toBe(10);
    await node.stop();
  });
});

test("a fleet connects at the ramp's rate, and a cancelled turn takes no place", () => {
  const clock = createManualClock(0);
  const ramp = createConnectRamp(clock, 200);
  let connected = 0;
  const turns = Array.from({ length: 1000 }, () => ramp.enter(() => connected++));
  for (const turn of turns.slice(0, 300)) turn.cancel();
  clock.advance(1000);
  expect(connected).toBeGreaterThanOrEqual(190);
  expect(connected).toBeLessThanOrEqual(220);
  clock.advance(3000);
  expect(connected).toBe(700);
});
