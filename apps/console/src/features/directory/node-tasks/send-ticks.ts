import { getNodeTasks, patchNodeTask, type NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import type { Client } from "#api/client.ts";
import { ApiError } from "#lib/api-error.ts";
import type { TickStore, WaitingTick } from "./waiting-ticks.ts";

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

const sending = new WeakMap<TickStore, Promise<void>>();

/**
 * Sends what waits, of each node in the order in which it was made. What the server refuses stays with its reason, and what needs another task
 * first is tried again when that one was sent; without network, or without a session, all of it goes on waiting.
 */
export function sendTicks(store: TickStore, call: Client): Promise<void> {
  const present = sending.get(store);
  if (present) return present;
  const next = sendAll(store, call).finally(() => sending.delete(store));
  sending.set(store, next);
  return next;
}

async function sendAll(store: TickStore, call: Client): Promise<void> {
  /** Tasks of nodes that were not taken in this round. */
  const tried = new Map<string, Set<number>>();
  for (;;) {
    const tick = store
      .get()
      .find(({ serial, taskTemplateId, refusal }) => refusal === undefined && tried.get(serial)?.has(taskTemplateId) !== true);
    // Once the person has left, the session may be someone else's.
    if (!tick || !store.isOpen()) return;
    const outcome = await sendOne(store, call, tick);
    if (outcome === "away") return;
    // What needed this one may go now.
    if (outcome === "sent") tried.delete(tick.serial);
    else tried.set(tick.serial, new Set([...(tried.get(tick.serial) ?? []), tick.taskTemplateId]));
  }
}

async function sendOne(store: TickStore, call: Client, tick: WaitingTick): Promise<"sent" | "kept" | "away"> {
  const { serial, taskTemplateId, status, notes, revision, madeAt } = tick;
  try {
    const task = await call(patchNodeTask, {
      params: { serial, id: String(taskTemplateId) },
      body: { status, notes, revision, madeTimestamp: madeAt },
    });
    store.sent(tick, task.revision);
    return "sent";
  } catch (error) {
    if (!isRefusal(error)) return "away";
    const task = error.status === 409 ? await readTask(call, tick) : undefined;
    // From an answer that was lost on its way, or because someone else did the same.
    if (task?.status === status && task.notes === notes) {
      store.drop(tick);
      return "sent";
    }
    if (task?.revision === revision && task.incompletePrerequisitesList.length > 0) store.hold(tick, task.incompletePrerequisitesList);
    else store.refuse(tick, error.message);
    return "kept";
  }
}

/** As the server has it; undefined when it cannot be asked. */
async function readTask(call: Client, { serial, taskTemplateId }: WaitingTick): Promise<NodeTask | undefined> {
  const node = await call(getNodeTasks, { params: { serial } }).catch(() => undefined);
  return node?.tasks.find((each) => each.taskTemplateId === taskTemplateId);
}
