import { errorCodes } from "@busbar/contract/errors.ts";
import type { NodeSwap, SwapValueState } from "@busbar/contract/directory/node-swaps.ts";
import { isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import type { Caller } from "#http/endpoints.ts";
import { AppError } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import type { SwapCopyStore } from "./node-swaps.store.ts";

/** The configuration of nodes, as the room that speaks with them changes it. */
export interface ConfigOfNodes {
  read(serial: string): Promise<Record<string, string>>;
  /** One of several values that one passcode allowed together. */
  changeAllowed(caller: Caller, change: { serial: string; key: string; newValue: string; oldValue: string }): Promise<string>;
}

export interface SwapCopierDependencies {
  store: SwapCopyStore;
  nodeConfig: ConfigOfNodes;
  log: Log;
  /** How long a node may take to answer. */
  answerTimeoutMs: number;
}

/** A write that left before the server ended has expired on the node by then. */
const leaseMarginMs = 5_000;

type Values = NodeSwap["values"];

/**
 * Copies the configuration of a swap to the new node, one value after the other by compare-and-set. Each is written down as sent before it
 * leaves: after a kill whoever goes on asks the node first, so that nothing is written twice.
 */
export function createSwapCopier({ store, nodeConfig, log, answerTimeoutMs }: SwapCopierDependencies) {
  const leaseMs = answerTimeoutMs + leaseMarginMs;
  const running = new Set<Promise<void>>();
  let isStopping = false;

  async function run(caller: Caller, swap: NodeSwap): Promise<void> {
    let pauseReason = "The server failed";
    try {
      pauseReason = await copyAll(caller, swap);
    } catch (error) {
      if (error instanceof AppError) pauseReason = error.message;
      else log.error({ err: error, swap: swap.id }, "The configuration of a swapped node could not be copied to its end");
    }
    await store.release(swap.id, pauseReason);
  }

  /** Why it ended before its time; empty when it did not. */
  async function copyAll(caller: Caller, { id, newSerialNumber: serial, values }: NodeSwap): Promise<string> {
    const present = await nodeConfig.read(serial);
    let open: Values = values.filter(({ state }) => state !== "confirmed");
    // Some values are right only once others are there: they are tried again as long as that helps.
    for (;;) {
      const again: Values = [];
      let isFurther = false;
      for (const item of open) {
        if (isStopping) return "The server was stopped";
        const { state, detail, ends, isEarly } = await copyValue(caller, serial, item, present, (key) =>
          store.settle(id, key, "sent", "", leaseMs),
        );
        const isAtPlace = await store.settle(id, item.key, state, detail, leaseMs);
        if (ends) return detail;
        if (!isAtPlace) return `Node ${serial} left the place`;
        if (state === "confirmed") isFurther = true;
        if (isEarly) again.push(item);
      }
      if (again.length === 0 || !isFurther) return "";
      open = again;
    }
  }

  interface Copied {
    state: SwapValueState;
    detail: string;
    /** Nothing more can be said to the node now. */
    ends?: boolean;
    /** Refused here because of another value. */
    isEarly?: boolean;
  }

  async function copyValue(
    caller: Caller,
    serial: string,
    { key, value }: Values[number],
    present: Record<string, string>,
    onSending: (key: string) => Promise<boolean>,
  ): Promise<Copied> {
    const oldValue = present[key];
    if (oldValue === undefined) return { state: "refused", detail: `Node ${serial} does not know ${key}` };
    if (isSameConfigValue(key, oldValue, value)) return { state: "confirmed", detail: "" };
    if (!(await onSending(key))) return { state: "waiting", detail: "", ends: true };
    try {
      await nodeConfig.changeAllowed(caller, { serial, key, newValue: value, oldValue });
      return { state: "confirmed", detail: "" };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const detail = error.message;
      if (error.errorCode === errorCodes.nodeNotConnected) return { state: "waiting", detail, ends: true };
      if (error.errorCode === errorCodes.nodeSilent) return { state: "unknown", detail, ends: true };
      return { state: "refused", detail: detail.replace(/^newValue: /, ""), isEarly: error.errorCode === errorCodes.invalid };
    }
  }

  return {
    /** Begins in the background; false while someone else copies, or when the new node left the place. */
    async start(caller: Caller, swap: NodeSwap): Promise<boolean> {
      if (isStopping || !(await store.take(swap.id, caller.username, leaseMs))) return false;
      const work = run(caller, swap)
        .catch((error: unknown) => log.error({ err: error, swap: swap.id }, "How far a swap is could not be written down"))
        .finally(() => running.delete(work));
      running.add(work);
      return true;
    },
    /** Ends after the value that is under way. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
export type SwapCopier = ReturnType<typeof createSwapCopier>;
