import type { Pool, PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { notConnected, silent, type ConfigVerdict } from "#features/telemetry/node-config/config-answer.ts";
import type { ConfigNode } from "#features/telemetry/node-config/node-config.store.ts";
import type { ConfigWriter, NodeValues } from "#features/telemetry/node-config/node-values.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { batchHash, type NodePlace } from "./batch-plan.ts";
import type { ActiveBatch, BatchRunsStore, SendingNode, UnreadNode } from "./batch-runs.store.ts";
import type { BatchSeal } from "./batch-seal.ts";
import { createConfigBatchesTask } from "./config-batches.task.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Nothing is set aside. */
const pool = { query: async () => ({ rows: [{ failedCount: 0, waitingCount: 0, hasPlatformFailed: false, nextTryAt: null }] }) };
const seal = { openPlan: () => ({ changes: [], reason: "" }), sealPlan: () => "" } as unknown as BatchSeal;
const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
const batchOf = (id: number): ActiveBatch => ({ id, state: "reading", startedBy: "", hash: "" });

interface Parts {
  store: Partial<BatchRunsStore>;
  values: Partial<NodeValues>;
  seal: Partial<BatchSeal>;
  clock: ManualClock;
}

/** Until nothing more comes of it. */
async function runAWhile({ store, values, seal: ofPlans, clock }: Parts, aborter: AbortController): Promise<void> {
  const task = createConfigBatchesTask({
    pool: pool as unknown as Pool,
    store: store as BatchRunsStore,
    seal: async () => ofPlans as BatchSeal,
    openNodes: () => ({ values: values as NodeValues, commands: { stop: async () => undefined } }),
    clock,
    log: silentLog,
  });
  const running = task.run(aborter.signal);
  for (let turn = 0; turn < 40; turn++) await turnOfLoop();
  aborter.abort();
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
  await running;
}

/** One node of the first of two batches is read while the look at the second one goes on, or afterwards. */
async function looksWhen(isReadAfterwards: boolean): Promise<{ wait: (ms: number) => Promise<number>; end: () => Promise<void> }> {
  let looks = 0;
  let stops = 0;
  let left = [{ serial: 1, sealed: "", isDecommissioned: true, otherBatch: null }] as UnreadNode[];
  const reading = Promise.withResolvers<void>();
  const aborter = new AbortController();
  const store: Partial<BatchRunsStore> = {
    findActive: async () => (looks++, [batchOf(1), batchOf(2)]),
    freeReading: async (id) => {
      if (id !== 2 || looks > 1 || isReadAfterwards) return;
      reading.resolve();
      await turnOfLoop();
    },
    takeUnread: async (id) => (id === 1 ? left.splice(0) : []),
    findPlace: async () => ({ stay: null, locationName: "" }),
    writeRead: () => reading.promise,
    findPlans: async () => undefined,
  };
  const task = createConfigBatchesTask({
    pool: pool as unknown as Pool,
    store: store as BatchRunsStore,
    seal: async () => seal,
    openNodes: () => ({ values: {} as never, commands: { stop: async () => void stops++ } }),
    clock: createManualClock(),
    log: silentLog,
  });
  const running = task.run(aborter.signal);
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
  left = [];
  if (isReadAfterwards) reading.resolve();
  return {
    async wait(ms) {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 20; turn++) await turnOfLoop();
      return looks;
    },
    async end() {
      let isOver = false;
      void running.then(() => (isOver = true));
      aborter.abort();
      for (let turn = 0; turn < 20; turn++) await turnOfLoop();
      // What it listens to for the nodes' answers ends with it.
      expect([isOver, stops]).toEqual([true, 1]);
    },
  };
}

test.each([
  ["while batches are looked at", false],
  ["afterwards", true],
])("A-63 a node that is read %s is followed by the next look after 20 ms, not after half a second", async (_, isReadAfterwards) => {
  const { wait, end } = await looksWhen(isReadAfterwards);
  expect([await wait(0), await wait(19), await wait(1)]).toEqual([1, 1, 2]);
  await end();
});

test("A-63 an order to stop cuts the pause between two looks short", async () => {
  const { wait, end } = await looksWhen(false);
  expect(await wait(19)).toBe(1);
  await end();
});

describe("A-63 a batch of two values", () => {
  const there: NodePlace = { stay: 7, locationName: "Pump 1" };
  const elsewhere: NodePlace = { stay: 8, locationName: "" };
  const [first, second] = [
    { key: "np_hp", newValue: "50", oldValue: "40" },
    { key: "np_poles", newValue: "4", oldValue: "2" },
  ];
  const changes = [first, second];
  const hash = batchHash([{ serial: 1, place: there, changes }]);
  const refusalOf = (message: string) => ({ result: "refused", refusal: conflict(message) }) as const;

  interface Given {
    state?: ActiveBatch["state"];
    hash?: string;
    isDecommissioned?: boolean;
    found?: { isConnected: boolean } | undefined;
    isReturning?: boolean;
    place?: NodePlace;
    confirmedCount?: number;
    /** Of a change that was handed over before. */
    auditId?: number;
    isLeftBehind?: boolean;
    verdicts?: ConfigVerdict[];
  }

  /** What is done with its node, in this order. */
  async function deedsOf(given: Given): Promise<string[]> {
    const { state = "running", isDecommissioned = false, isReturning = false, place = there, confirmedCount = 0, auditId = null } = given;
    const found = ("found" in given ? given.found : { isConnected: true }) as ConfigNode | undefined;
    const verdicts = [...(given.verdicts ?? [])];
    const deeds: string[] = [];
    const aborter = new AbortController();
    const nodes: SendingNode[] = [{ serial: 1, sealed: "sealed", confirmedCount, commandId: "command 1", auditId, isDecommissioned }];
    const take = () => nodes.splice(0);
    const commandOf = (id: string | undefined) => (id === "command 1" || id === "command 2" ? id : "next command");
    const client = {} as PoolClient;
    const settle = async (writer: ConfigWriter, verdict: ConfigVerdict) => {
      await writer.settle!(client, verdict);
      return verdict;
    };
    const store: Partial<BatchRunsStore> = {
      findActive: async () => [{ id: 3, state, startedBy: "ada", hash: given.hash ?? hash }],
      findPlans: async () => [{ serial: 1, sealed: "sealed" }],
      findLeftBehind: async () => (given.isLeftBehind ? take() : []),
      takeDue: async () => ({ nodes: take(), nextAt: null }),
      takeOver: async ({ commandId }) => (deeds.push(`taken over from ${commandId}`), "command 2"),
      isReturning: async () => isReturning,
      holdPlace: async () => place,
      putOff: async ({ commandId }, until) => void deeds.push(`${commandOf(commandId)} put off for ${until - clock.now() / 1000} s`),
      stop: async (_, reason) => (deeds.push(`stopped: ${reason}`), aborter.abort()),
      handOver: async (_, turn, audit) => void deeds.push(`${commandOf(turn.commandId)} handed over as ${audit}`),
      goOn: async (_, turn, next) => void deeds.push(`${commandOf(turn.commandId)} followed by ${commandOf(next)}`),
      settle: async (_, turn, { state: ended, sealed }) => void deeds.push(`${commandOf(turn.commandId)} ${ended}, ${sealed}`),
    };
    const values: Partial<NodeValues> = {
      find: async () => found,
      refuse: async (writer, { key }, _, refusal) => (deeds.push(`${key} refused`), await settle(writer, { result: "refused", refusal })),
      async write(writer, change) {
        deeds.push(`${change.key} written by ${writer.username} of ${writer.batchId}: ${change.oldValue} to ${change.newValue}`);
        await writer.handOver!(client, 9);
        return await settle(writer, verdicts.shift() ?? { result: "confirmed", text: "" });
      },
      async resume(writer, change, commandId, audit) {
        deeds.push(`${change.key} resumed: ${commandId}, ${audit}`);
        return await settle(writer, verdicts.shift() ?? { result: "confirmed", text: "" });
      },
    };
    const clock = createManualClock();
    const ofPlans: Partial<BatchSeal> = {
      openPlan: () => ({ changes, place: there, reason: "" }),
      sealPlan: (_, __, { reason }) => reason,
    };
    await runAWhile({ store, values, seal: ofPlans, clock }, aborter);
    return deeds;
  }

  const written = (command: string) => ["np_hp written by ada of 3: 40 to 50", `${command} handed over as 9`];
  const goesOn = ["next command handed over as 9", "next command confirmed, "];
  const secondWritten = ["np_poles written by ada of 3: 2 to 4", ...goesOn];
  test.each<[string, Given, string[]]>([
    ["is written value by value", {}, [...written("command 1"), "command 1 followed by next command", ...secondWritten]],
    [
      "goes on where it was",
      { confirmedCount: 1 },
      ["np_poles written by ada of 3: 2 to 4", "command 1 handed over as 9", "command 1 confirmed, "],
    ],
    [
      "takes as confirmed what was so already",
      { verdicts: [{ result: "unchanged", text: "" }] },
      [...written("command 1"), "command 1 followed by next command", ...secondWritten],
    ],
    ["ends at the first that is refused", { verdicts: [refusalOf("No")] }, [...written("command 1"), "command 1 refused, np_hp: No"]],
    [
      "ends at the first that is not answered",
      { verdicts: [{ result: "unanswered", refusal: conflict("Silent") }] },
      [...written("command 1"), "command 1 unknown, np_hp: Silent"],
    ],
    ["is not what was approved", { hash: "another" }, ["stopped: its values are not those that were approved"]],
    ["is not running", { state: "ready" }, []],
    ["has a node that is not there", { found: undefined }, ["np_hp refused", "command 1 refused, np_hp: Node 1 was not found"]],
    [
      "has a node that was decommissioned",
      { isDecommissioned: true },
      ["np_hp refused", "command 1 refused, np_hp: Node 1 was decommissioned meanwhile"],
    ],
    ["has a node that is away", { found: { isConnected: false } }, ["np_hp refused", "command 1 refused, np_hp: Node 1 is not connected"]],
    ["has a node that is on its way back", { found: { isConnected: false }, isReturning: true }, ["command 1 put off for 10 s"]],
    [
      "has a decommissioned node that is on its way back",
      { found: { isConnected: false }, isReturning: true, isDecommissioned: true },
      ["np_hp refused", "command 1 refused, np_hp: Node 1 was decommissioned meanwhile"],
    ],
    [
      "has a node that is elsewhere",
      { place: elsewhere },
      [
        "np_hp written by ada of 3: 40 to 50",
        "np_hp refused",
        "command 1 refused, np_hp: Node 1 was at Pump 1 when it was read, and is at no location now",
      ],
    ],
    [
      "was left before anything was sent",
      { isLeftBehind: true },
      ["taken over from command 1", ...written("command 2"), "command 2 followed by next command", ...secondWritten],
    ],
    [
      "was left after something was sent",
      { isLeftBehind: true, auditId: 5 },
      ["np_hp resumed: command 1, 5", "command 1 followed by next command", ...secondWritten],
    ],
    [
      "was left before an answer by a node that is on its way back",
      { isLeftBehind: true, auditId: 5, found: { isConnected: false }, isReturning: true },
      [],
    ],
    [
      "was cancelled after something was sent",
      { state: "cancelled", isLeftBehind: true, auditId: 5, confirmedCount: 1 },
      ["np_poles resumed: command 1, 5", "command 1 confirmed, "],
    ],
  ])("%s", async (_, given, deeds) => {
    expect(await deedsOf(given)).toEqual(deeds);
  });
});

describe("A-63 in the dry run a node", () => {
  const here: NodePlace = { stay: 7, locationName: "Pump 1" };
  interface Given {
    node?: Partial<UnreadNode>;
    cameFrom?: NodePlace;
    isWriteUnderWay?: boolean;
    failure?: Error;
    has?: string;
  }

  /** What its row says afterwards; undefined while it is to be read again. */
  async function readOf({ node = {}, cameFrom, isWriteUnderWay = false, failure, has = "40" }: Given): Promise<unknown> {
    const aborter = new AbortController();
    const unread: UnreadNode[] = [{ serial: 1, sealed: "", isDecommissioned: false, otherBatch: null, ...node }];
    let written: unknown;
    const store: Partial<BatchRunsStore> = {
      findActive: async () => [batchOf(1)],
      freeReading: async () => undefined,
      takeUnread: async () => unread.splice(0),
      findPlace: async () => here,
      findPlans: async () => undefined,
      writeRead: async (_id, _serial, leftFor, sealed) => void (written = { leftFor, ...(JSON.parse(sealed) as object) }),
    };
    const values: Partial<NodeValues> = {
      isWriteUnderWay: async () => isWriteUnderWay,
      async read() {
        if (failure) throw failure;
        return { values: { np_hp: has }, types: null } as Partial<ConfigNode> as ConfigNode;
      },
    };
    const changes = [{ key: "np_hp", newValue: "50" }];
    const ofPlans: Partial<BatchSeal> = {
      openPlan: () => ({ changes, reason: "", cameFrom }),
      sealPlan: (_, __, { reason, place, cameFrom: from }) => JSON.stringify({ reason, place, cameFrom: from }),
    };
    await runAWhile({ store, values, seal: ofPlans, clock: createManualClock() }, aborter);
    return written;
  }

  test.each<[string, Given, string, string]>([
    ["is to be changed", {}, "", ""],
    ["has the value already", { has: "50" }, "same", "It has this value already"],
    ["is decommissioned", { node: { isDecommissioned: true, otherBatch: 4 } }, "decommissioned", "It is decommissioned"],
    ["is still where it was", { cameFrom: { stay: 7, locationName: "Pump 0" } }, "", ""],
    [
      "is elsewhere than it was",
      { cameFrom: { stay: 6, locationName: "" }, node: { otherBatch: 4 } },
      "moved",
      "It was at no location when it was changed, and is at Pump 1 now",
    ],
    ["is another batch's", { node: { otherBatch: 4 }, isWriteUnderWay: true }, "busy", "Batch 4 is about to change it"],
    ["is changed by hand", { isWriteUnderWay: true }, "busy", "Another change is on its way to it"],
    ["does not answer", { failure: silent("Node 1 did not answer within 15 s") }, "silent", "It did not answer"],
    ["is not there", { failure: notFound("Node 1") }, "missing", "There is no such node"],
    ["is away", { failure: notConnected("1") }, "away", "Node 1 is not connected"],
  ])("%s", async (_, given, leftFor, reason) => {
    const { cameFrom } = given;
    expect(await readOf(given)).toEqual({ leftFor, reason, place: here, ...(cameFrom ? { cameFrom } : {}) });
  });

  test("is read again where that failed by itself", async () => {
    expect(await readOf({ failure: new Error("the database is away") })).toBeUndefined();
  });
});
