import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isExternalNodeType } from "@busbar/contract/values/option-lists.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Pool } from "pg";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { answerMs, createConformanceCheck } from "./conformance.ts";
import type { Finding } from "./finding-list.ts";
import { createNodeWatchStore, type NodeWatchStore } from "#features/telemetry/node-watch/node-watch.store.ts";

export interface CheckNodeOptions {
  pool: Pool;
  serial: number;
  seconds: number;
  print: (line: string) => void;
}

/** A check that could not be made; nothing is known of the node. */
export class NotChecked extends Error {
  exitCode = 2;
}

const pollMs = 250;
const takenWithinMs = 10_000;

/**
 * Watches what a node sends for a while, asks it for its birth and its configuration, and says what it does otherwise than
 * docs/node-protocol.md.
 * @returns the exit code: 0 when nothing is wrong, 1 otherwise
 * @throws NotChecked when no ingest listens, or nothing at all was heard of the node
 */
export async function checkNode({ pool, serial, seconds, print }: CheckNodeOptions): Promise<number> {
  const store = createNodeWatchStore(pool);
  const node = await store.findNode(serial);
  if (!node) throw new Error(`There is no node ${serial}.`);
  if (node.parentSerial !== null) throw new Error(`${serial} is a sub node: check node ${node.parentSerial}, which speaks for it.`);
  if (isExternalNodeType(node.type)) throw new Error(`${serial} is of the type ${node.type}, which has no MQTT connection.`);
  const check = createConformanceCheck({ ...node, serial, hasScalars: node.type === "Node" });
  const quarantinedBefore = await store.quarantineCounts(serial);
  const commands = createNodeCommands(pool);
  try {
    await store.begin(serial, seconds + 60);
    await waitUntilTaken(store, serial);
    print(`Watching node ${serial} for ${counted(seconds, "second")}. A node that connects meanwhile has its CONNECT checked too.`);
    const watchedFromMs = Date.now();
    const untilMs = watchedFromMs + 1000 * seconds;
    let hasAsked = false;
    let configAnswer: Promise<boolean> | undefined;
    let isConfigRead: boolean | undefined;
    for (let lastId = "0"; ;) {
      const events = await store.readAfter(serial, lastId);
      for (const event of events) check.take(event);
      lastId = events.at(-1)?.id ?? lastId;
      if (!hasAsked && (node.isConnected || check.births > 0)) {
        hasAsked = true;
        const { state } = await commands.send(commandOf(serial, metricNames.rebirth, DataType.Boolean, true));
        if (state === "sent") check.noteRebirthRequest(Date.now());
        else hasAsked = false;
        node.isConnected = false;
      }
      if (!configAnswer && check.births > 0 && check.hasMetric(metricNames.configRefresh)) {
        configAnswer = readConfig(commands, serial).then((isRead) => (isConfigRead = isRead));
      }
      if (Date.now() >= untilMs && events.length === 0) break;
      await wait(pollMs);
    }
    await configAnswer;
    const nowMs = Date.now();
    const { findings, scalars, sawConnect } = check.finish(nowMs, watchedFromMs);
    if (check.messages === 0 && findings.length === 0) {
      throw new NotChecked(`Node ${serial} sent nothing in ${counted(seconds, "second")}, and no try of it to connect was seen.`);
    }
    if (isConfigRead === false) {
      const sentence = `The node was asked for its configuration (${metricNames.configRefresh}) and did not answer within 15 s.`;
      findings.push({ severity: "wrong", chapter: "Commands", sentence, firstAtMs: nowMs, count: 1 });
    }
    findings.push(...newlyQuarantined(quarantinedBefore, await store.quarantineCounts(serial), nowMs));
    const what = [counted(check.messages, "message"), counted(check.births, "birth"), counted(scalars, "scalar")].join(", ");
    print(`Node ${serial} sent ${what}.${sawConnect ? "" : " Its CONNECT was not seen: connect it anew during a check."}`);
    return report(findings, print);
  } finally {
    await store.end(serial);
    await commands.stop();
  }
}

async function waitUntilTaken(store: NodeWatchStore, serial: number): Promise<void> {
  for (const until = performance.now() + takenWithinMs; !(await store.isTaken(serial)); await wait(pollMs)) {
    if (performance.now() > until) throw new NotChecked("No process with the role ingest took the watch over: is the platform running?");
  }
}

const commandOf = (serialNumber: number, name: string, datatype: number, value: string | boolean) => ({
  serialNumber,
  metrics: [{ name, datatype, value }],
  timeoutMs: answerMs,
});

async function readConfig(commands: ReturnType<typeof createNodeCommands>, serial: number): Promise<boolean> {
  const id = randomUUID();
  const { state } = await commands.send({ ...commandOf(serial, metricNames.configRefresh, DataType.String, id), id, awaitsAnswer: true });
  return state === "answered";
}

/** What the platform itself could not use; each has its reason in the guide. */
function newlyQuarantined(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, nowMs: number): Finding[] {
  return [...after].flatMap(([reason, total]): Finding[] => {
    const count = total - (before.get(reason) ?? 0);
    if (count <= 0) return [];
    return [
      {
        severity: "wrong",
        chapter: "Data",
        sentence: `The platform could not use a message, or a part: ${reason}.`,
        firstAtMs: nowMs,
        count,
      },
    ];
  });
}

function report(findings: readonly Finding[], print: CheckNodeOptions["print"]): number {
  const inOrder = findings.toSorted((a, b) => Number(a.severity === "note") - Number(b.severity === "note") || a.firstAtMs - b.firstAtMs);
  for (const { severity, chapter, sentence, firstAtMs, count } of inOrder) {
    const times = count > 1 ? ` (${counted(count, "time")}, first ${clockTime(firstAtMs)})` : ` (${clockTime(firstAtMs)})`;
    print(`${severity.padEnd(5)}  ${chapter.padEnd(10)}  ${sentence}${times}`);
  }
  const wrong = findings.filter(({ severity }) => severity === "wrong").length;
  print(
    wrong === 0 ? "Nothing is wrong." : `${counted(wrong, "point is", "points are")} wrong. docs/node-protocol.md says how it is right.`,
  );
  return wrong === 0 ? 0 : 1;
}

const clockTime = (ms: number) => `${new Date(ms).toISOString().slice(11, 19)}Z`;
