import { taskStatuses, type NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { ticksKey } from "#lib/ticks-key.ts";
import * as z from "zod/mini";

const WaitingTick = z.object({
  serial: z.string(),
  taskTemplateId: z.number(),
  status: z.enum(taskStatuses),
  notes: z.string(),
  /** That the person saw. */
  revision: z.number(),
  /** Epoch seconds. */
  madeAt: z.number(),
  /** Why the server refused it; without one it waits for the network. */
  refusal: z.optional(z.string()),
  /** Tasks that must be completed first, when the server said so. */
  waitsFor: z.optional(z.array(z.number())),
});
/** What someone entered of a task and the server does not have yet. */
export type WaitingTick = z.infer<typeof WaitingTick>;

const WaitingTicks = z.array(WaitingTick);
const isSame = (a: WaitingTick, b: WaitingTick) => a.serial === b.serial && a.taskTemplateId === b.taskTemplateId;
const none: readonly WaitingTick[] = [];

function parsed(text: string | null): readonly WaitingTick[] {
  try {
    return text === null ? none : (WaitingTicks.safeParse(JSON.parse(text)).data ?? none);
  } catch {
    return none;
  }
}

export type TickStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What waits of one person, in this browser, shared by its tabs: nothing is forgotten before the server has it or the person drops it. */
export function createTickStore(storage: TickStorage, username: string) {
  const key = ticksKey(username);
  const listeners = new Set<() => void>();
  let text = storage.getItem(key);
  let ticks = parsed(text);
  let isKept = true;
  let openCount = 0;

  /** What another tab wrote meanwhile counts. */
  function follow(): void {
    const present = isKept ? storage.getItem(key) : text;
    if (present === text) return;
    text = present;
    ticks = parsed(text);
  }

  function write(next: readonly WaitingTick[]): void {
    ticks = next;
    text = next.length === 0 ? null : JSON.stringify(next);
    try {
      if (text === null) storage.removeItem(key);
      else storage.setItem(key, text);
      isKept = true;
    } catch {
      isKept = false;
    }
    for (const listener of listeners) listener();
  }

  const update = (make: (present: readonly WaitingTick[]) => readonly WaitingTick[]): void => {
    follow();
    write(make(ticks));
  };

  return {
    get(this: void): readonly WaitingTick[] {
      follow();
      return ticks;
    },
    /** While a screen of this person is there. @returns ends it */
    open(): () => void {
      openCount++;
      return () => void openCount--;
    },
    isOpen: () => openCount > 0,
    /** False while this browser keeps nothing: what waits is gone with the page. */
    isKept: () => isKept,
    /** In place of what waits of the same task, on the revision that was seen first. */
    put(tick: WaitingTick): void {
      update((present) => {
        const before = present.find((each) => isSame(each, tick));
        return [...present.filter((each) => !isSame(each, tick)), { ...tick, revision: before?.revision ?? tick.revision }];
      });
    },
    drop(tick: WaitingTick): void {
      update((present) => present.filter((each) => !isSame(each, tick)));
    },
    /** The server has it. What was entered of the same task meanwhile goes on from there. */
    sent(tick: WaitingTick, revision: number): void {
      update((present) =>
        present.flatMap((each) => {
          if (!isSame(each, tick)) return [each];
          const isIt = each.status === tick.status && each.notes === tick.notes;
          return isIt ? [] : [{ ...each, revision }];
        }),
      );
    },
    refuse(tick: WaitingTick, refusal: string): void {
      update((present) => present.map((each) => (isSame(each, tick) ? { ...each, refusal } : each)));
    },
    /** It goes once other tasks are completed. */
    hold(tick: WaitingTick, waitsFor: readonly number[]): void {
      update((present) => present.map((each) => (isSame(each, tick) ? { ...each, waitsFor: [...waitsFor] } : each)));
    },
    /** The person wants theirs after having seen what is there now. */
    insist(tick: WaitingTick, revision: number): void {
      update((present) => present.map((each) => (isSame(each, tick) ? { ...each, revision, refusal: undefined } : each)));
    },
    /** Also when another tab changed something. */
    subscribe(this: void, listener: () => void): () => void {
      const onStorage = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener();
      };
      listeners.add(listener);
      addEventListener("storage", onStorage);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", onStorage);
      };
    },
  };
}
export type TickStore = ReturnType<typeof createTickStore>;

/**
 * The tasks of a node as they are once what waits has arrived: what the person did is done, and what it was in the way of can be done. What
 * was refused is as the server has it.
 */
export function withTicks(tasks: readonly NodeTask[], ticks: readonly WaitingTick[]): NodeTask[] {
  const waiting = new Map(ticks.flatMap((tick) => (tick.refusal === undefined ? [[tick.taskTemplateId, tick]] : [])));
  return tasks.map((task) => {
    const tick = waiting.get(task.taskTemplateId);
    const incomplete = task.incompletePrerequisitesList.filter((id) => waiting.get(id)?.status !== "COMPLETED");
    return {
      ...task,
      ...(tick ? { status: tick.status, notes: tick.notes } : {}),
      incompletePrerequisitesList: incomplete,
      editable: incomplete.length === 0,
    };
  });
}

/** What is to be done after a task: the next one that can be, else the first. */
export function nextTask(tasks: readonly NodeTask[], after?: number): NodeTask | undefined {
  const open = tasks.filter(({ status, editable }) => status !== "COMPLETED" && editable);
  return open.find(({ taskTemplateId }) => after !== undefined && taskTemplateId > after) ?? open[0];
}
