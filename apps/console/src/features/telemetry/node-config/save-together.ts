import {
  createBatch,
  getBatch,
  getBatchNodes,
  startBatch,
  steerBatch,
  type Batch,
  type BatchNode,
} from "@busbar/contract/telemetry/config-batches.ts";
import { isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Client } from "#api/client.ts";
import { failedChange, type ChangeProgress } from "./config-progress.ts";
import { shownValue } from "./config-rows.ts";

export interface StagedValue {
  key: string;
  newValue: string;
  /** As the dialog shows it. */
  oldValue: string;
}

export interface TogetherOptions {
  serial: string;
  values: readonly StagedValue[];
  code: string;
  /** From now on it may be changed. */
  onStart: (batchId: number) => void;
  /** The dialog was closed: no one waits for it any more. */
  signal: AbortSignal;
}

/** What became of a value that was saved with others. */
export type ValueMark = "changed" | "refused" | "unknown" | "not sent";
export type TogetherOutcome = Omit<ChangeProgress, "key"> & { marks: ReadonlyMap<string, ValueMark> };

const lookMs = 300;

/**
 * Saves several values with one passcode, as a batch of one node (decision 0041). It is started only where its dry run found what the
 * dialog shows, so that the passcode counts for exactly what the person saw.
 */
export async function saveTogether(call: Client, options: TogetherOptions): Promise<TogetherOutcome> {
  const { serial, values, code, onStart, signal } = options;
  const all = (mark: ValueMark) => new Map(values.map(({ key }) => [key, mark]));
  const follow = async (batchId: number, isUnderWay: (batch: Batch) => boolean) => {
    const params = { id: String(batchId) };
    for (;;) {
      const batch = await call(getBatch, { params }, { signal });
      if (!isUnderWay(batch)) return { batch, node: (await call(getBatchNodes, { params }, { signal }))[0]! };
      await pause(signal);
    }
  };
  let batchId: number | undefined;
  let stage: "reading" | "starting" | "started" = "reading";
  try {
    const body = { serialNumbers: [serial], values: values.map(({ key, newValue }) => ({ key, value: newValue })) };
    batchId = (await call(createBatch, { body })).id;
    const { batch, node } = await follow(batchId, ({ state }) => state === "reading");
    const problem = node.state === "left" ? node.reason : changedMeanwhile(serial, values, node);
    if (problem !== undefined) {
      discard(call, batchId);
      return { state: "not-sent", text: problem, marks: all("not sent") };
    }
    stage = "starting";
    onStart(batchId);
    const { hash, atOnce, perMinute, firstWave, stopPercent } = batch;
    await call(startBatch, {
      params: { id: String(batchId) },
      body: { hash, code, atOnce, perMinute, firstWave, stopPercent, startLocal: "" },
    });
    stage = "started";
    const ended = await follow(batchId, ({ state, counts }) => state === "running" || counts.sending > 0);
    return { ...outcomeOf(serial, ended.node), batchId };
  } catch (error) {
    const failed = failedChange("", error);
    if (stage === "started" || (stage === "starting" && failed.state !== "not-sent"))
      return { state: "unclear", text: failed.text, marks: all("unknown"), ...(batchId === undefined ? {} : { batchId }) };
    if (batchId !== undefined) discard(call, batchId);
    return { state: "not-sent", text: failed.text, marks: all("not sent") };
  }
}

/** A value that is another one than the dialog shows. */
function changedMeanwhile(serial: string, values: readonly StagedValue[], { changes }: BatchNode): string | undefined {
  const shown = new Map(values.map(({ key, oldValue }) => [key, oldValue]));
  const other = changes.find(({ key, oldValue }) => !isSameConfigValue(key, oldValue ?? "", shown.get(key) ?? ""));
  if (!other) return undefined;
  const [now, then] = [other.oldValue ?? "", shown.get(other.key) ?? ""].map(shownValue);
  return `${other.key} on node ${serial} is now ${now}, no longer ${then}. Refresh to see its values.`;
}

/** One value after the other, until one was not confirmed. */
function outcomeOf(serial: string, { state, reason, changes, confirmedCount }: BatchNode): TogetherOutcome {
  const failedMark: ValueMark = state === "refused" ? "refused" : state === "unknown" ? "unknown" : "not sent";
  const marks = new Map(
    changes.map(({ key }, place): [string, ValueMark] => [
      key,
      place < confirmedCount ? "changed" : place === confirmedCount ? failedMark : "not sent",
    ]),
  );
  const count = counted(changes.length, "value");
  if (state === "confirmed") return { state: "confirmed", text: `${count} changed on node ${serial}`, marks };
  const text = `${confirmedCount} of ${count} changed on node ${serial}. ${reason}`;
  return { state: state === "unknown" ? "unclear" : confirmedCount > 0 ? "partly" : "unchanged", text, marks };
}

/** Nothing was sent; what is left of it is a row that no one would start. */
function discard(call: Client, batchId: number): void {
  void call(steerBatch, { params: { id: String(batchId) }, body: { order: "cancel" } }).catch(() => undefined);
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, lookMs);
    signal.addEventListener("abort", stop, { once: true });
  });
}
