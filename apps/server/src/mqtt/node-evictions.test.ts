import { createServer, type AddressInfo } from "node:net";
import mqttPacket from "mqtt-packet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createNodeEvictions, type NodeEvictions } from "./node-evictions.ts";

let clock: ManualClock;
let evictions: NodeEvictions;
/** Client ids, as the broker hears them. */
let heard: string[];
let suspects: { serial: number; changedAtMs: number; isOlder: boolean }[];
let lockedOut: number[];
let isAway: boolean;
let logged: string[];
/** Of each round, how often all nodes had been checked. */
let rounds: number[];
let stopBroker: () => Promise<void>;

beforeEach(async () => {
  clock = createManualClock();
  [heard, suspects, lockedOut, isAway, logged, rounds] = [[], [], [], false, [], []];
  const broker = createServer((socket) => {
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      if (packet.cmd !== "connect") return;
      heard.push(packet.clientId);
      socket.write(mqttPacket.generate({ cmd: "connack", returnCode: 0, sessionPresent: false }));
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  stopBroker = () => new Promise((resolve) => void broker.close(() => resolve()));
  let fullChecks = 0;
  evictions = createNodeEvictions({
    url: `mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`,
    findSuspects(seconds) {
      if (seconds !== 30) return Promise.reject(new Error(`changes of ${seconds} s`));
      if (isAway) return Promise.reject(new Error("away"));
      rounds.push(fullChecks);
      return Promise.resolve(suspects);
    },
    findLockedOut() {
      fullChecks++;
      return Promise.resolve(lockedOut);
    },
    isOurs: (serial) => serial < 20_000,
    clock,
    limitedLog: (level, kind) => void logged.push(`${level} ${kind}`),
    everyMs: 1,
  });
});
afterEach(async () => {
  await evictions.stop();
  await stopBroker();
});

/** Until what the next round found is done. */
const nextRounds = (count: number) => {
  const until = rounds.length + count;
  return vi.waitUntil(() => rounds.length > until, { interval: 1 });
};

test("a node whose credential was replaced is thrown out at once, after five seconds and after fifteen, and then let be", async () => {
  suspects = [
    { serial: 10_001, changedAtMs: 1, isOlder: true },
    // Came with the new credential.
    { serial: 10_002, changedAtMs: 1, isOlder: false },
    // Another process sees to it.
    { serial: 20_001, changedAtMs: 1, isOlder: true },
  ];
  evictions.start();
  const times: string[][] = [];
  for (const seconds of [0, 4.9, 0.1, 9.9, 0.1, 100]) {
    clock.advance(seconds);
    await nextRounds(2);
    times.push([...heard]);
  }
  const so = (count: number) => Array.from({ length: count }, () => "10001");
  expect(times).toEqual([so(1), so(1), so(2), so(2), so(3), so(3)]);
  // Another change of it is another case.
  suspects = [{ serial: 10_001, changedAtMs: 2, isOlder: true }];
  await nextRounds(2);
  expect(heard).toEqual(so(4));
});

test("all nodes are checked at the start and every sixty rounds", async () => {
  lockedOut = [10_003, 20_003];
  evictions.start();
  await vi.waitUntil(() => rounds.length > 122, { interval: 1 });
  expect(rounds.slice(0, 122)).toEqual(Array.from({ length: 122 }, (_, round) => Math.floor(round / 60) + 1));
  expect(heard).toEqual(["10003", "10003", "10003"]);
});

test("while the database is away nothing is done, and it goes on by itself", async () => {
  isAway = true;
  evictions.start();
  await vi.waitUntil(() => logged.length > 0);
  expect(logged[0]).toBe("warn node-evictions");
  suspects = [{ serial: 10_004, changedAtMs: 1, isOlder: true }];
  isAway = false;
  await vi.waitUntil(() => heard.length > 0);
  expect(heard).toEqual(["10004"]);
});
