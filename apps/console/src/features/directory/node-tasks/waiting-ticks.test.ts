import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { expect, test } from "vitest";
import { createTickStore, nextTask, withTicks, type WaitingTick } from "./waiting-ticks.ts";

const tick = (change: Partial<WaitingTick> = {}): WaitingTick => ({
  serial: "10604",
  taskTemplateId: 3,
  status: "COMPLETED",
  notes: "",
  revision: 5,
  madeAt: 1_800_000_000,
  ...change,
});

function storage(isFull = false) {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull) throw new Error("QuotaExceededError");
      texts.set(key, text);
    },
    removeItem: (key: string) => void texts.delete(key),
  };
}

test("what is entered again of a task takes its place, on the revision that was seen first", () => {
  const store = createTickStore(storage(), "robin");
  store.put(tick());
  store.put(tick({ taskTemplateId: 4 }));
  store.put(tick({ notes: "Belt new", revision: 6 }));
  expect(store.get()).toEqual([tick({ taskTemplateId: 4 }), tick({ notes: "Belt new", revision: 5 })]);
  store.drop(tick({ notes: "whatever" }));
  expect(store.get()).toEqual([tick({ taskTemplateId: 4 })]);
});

test("what arrived is gone; what was entered meanwhile goes on from its revision", () => {
  const store = createTickStore(storage(), "robin");
  store.put(tick());
  store.put(tick({ notes: "meanwhile" }));
  store.sent(tick(), 6);
  expect(store.get()).toEqual([tick({ notes: "meanwhile", revision: 6 })]);
  store.sent(tick({ notes: "meanwhile" }), 7);
  expect(store.get()).toEqual([]);
});

test("what is refused says so until the person insists, from the revision that is there then", () => {
  const store = createTickStore(storage(), "robin");
  store.put(tick());
  store.refuse(tick(), "Kim changed it meanwhile");
  expect(store.get()).toEqual([tick({ refusal: "Kim changed it meanwhile" })]);
  store.hold(tick(), [1, 2]);
  store.insist(tick(), 9);
  expect(store.get()).toEqual([tick({ revision: 9, refusal: undefined, waitsFor: [1, 2] })]);
});

test("tabs of one person share it, another person has their own, and nothing is kept where the browser keeps nothing", () => {
  const shared = storage();
  const [one, other, stranger] = ["robin", "robin", "kim"].map((name) => createTickStore(shared, name));
  one!.put(tick());
  expect([other!.get(), stranger!.get(), one!.isKept()]).toEqual([[tick()], [], true]);
  other!.put(tick({ taskTemplateId: 4 }));
  one!.drop(tick());
  expect(other!.get()).toEqual([tick({ taskTemplateId: 4 })]);
  one!.drop(tick({ taskTemplateId: 4 }));
  expect(shared.texts.size).toBe(0);
  const full = createTickStore(storage(true), "robin");
  full.put(tick());
  expect([full.get(), full.isKept()]).toEqual([[tick()], false]);
});

const task = (taskTemplateId: number, change: Partial<NodeTask> = {}) =>
  ({
    taskTemplateId,
    status: "NOT_COMPLETED",
    notes: "",
    editable: true,
    incompletePrerequisitesList: [],
    ...change,
  }) as unknown as NodeTask;

test("a task is as it will be once what waits has arrived; what was refused is as the server has it", () => {
  const tasks = [task(1), task(2, { editable: false, incompletePrerequisitesList: [1] })];
  const seen = (ticks: WaitingTick[]) => withTicks(tasks, ticks).map(({ status, editable }) => [status, editable]);
  expect(seen([tick({ taskTemplateId: 1 })])).toEqual([
    ["COMPLETED", true],
    ["NOT_COMPLETED", true],
  ]);
  for (const change of [{ refusal: "no" }, { status: "NOT_COMPLETED" as const }])
    expect(seen([tick({ taskTemplateId: 1, ...change })])).toEqual([
      ["NOT_COMPLETED", true],
      ["NOT_COMPLETED", false],
    ]);
});

test("after a task comes the next one that can be done, else the first, never itself", () => {
  const tasks = [task(1), task(2), task(3, { editable: false }), task(4, { status: "COMPLETED" }), task(5)];
  const next = (after?: number) => nextTask(tasks, after)?.taskTemplateId;
  expect([next(), next(1), next(2), next(5)]).toEqual([1, 2, 5, 1]);
  expect(nextTask([task(4, { status: "COMPLETED" })])).toBeUndefined();
});
