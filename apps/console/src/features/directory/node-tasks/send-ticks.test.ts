import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { expect, test } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { sendTicks } from "./send-ticks.ts";
import { createTickStore, type WaitingTick } from "./waiting-ticks.ts";

const tick: WaitingTick = { serial: "10604", taskTemplateId: 101, status: "COMPLETED", notes: "", revision: 5, madeAt: 1_800_000_000 };
const asThere = { taskTemplateId: 101, status: "NOT_COMPLETED", notes: "", revision: 5, incompletePrerequisitesList: [] as number[] };

function storeOf(...ticks: readonly WaitingTick[]) {
  const texts = new Map<string, string>();
  const store = createTickStore(
    {
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
    },
    "robin",
  );
  store.open();
  for (const each of ticks) store.put(each);
  return store;
}

/** A server that answers each tick with a status, and has the task so. */
const serverOf = (status: number, there?: Partial<NodeTask>) =>
  fakeApi({
    "PATCH /nodes/{serial}/tasks/tasktemplate/{id}": () => {
      throw new ApiError(status, "", "No");
    },
    "GET /nodes/{serial}/tasks": () => ({ tasks: [{ ...asThere, ...there }] }),
  });

test.each([
  [400, "No"],
  [404, "No"],
  [499, "No"],
  [0, undefined],
  [401, undefined],
  [408, undefined],
  [429, undefined],
  [500, undefined],
])("what the server answers with %d is refused by it, or goes on waiting", async (status, refusal) => {
  const store = storeOf(tick, { ...tick, serial: "10605" });
  const api = serverOf(status);
  await sendTicks(store, api.call);
  expect(store.get().map((each) => each.refusal)).toEqual([refusal, refusal]);
  // Of those that wait one is tried.
  expect(api.asked).toHaveLength(refusal === undefined ? 1 : 2);
});

test.each([
  ["done by someone else just so is dropped", { status: "COMPLETED" as const, revision: 6 }, []],
  ["done with other notes is refused", { status: "COMPLETED" as const, notes: "Bo was here", revision: 6 }, [{ ...tick, refusal: "No" }]],
  ["that waits for other tasks is held", { incompletePrerequisitesList: [99] }, [{ ...tick, waitsFor: [99] }]],
  ["that was changed since is refused", { incompletePrerequisitesList: [99], revision: 6 }, [{ ...tick, refusal: "No" }]],
])("in a conflict a task %s", async (_, there, kept) => {
  const store = storeOf(tick);
  await sendTicks(store, serverOf(409, there).call);
  expect(store.get()).toEqual(kept);
});

test("those of a node go in their order, once, and what needed one goes after it", async () => {
  const store = storeOf(tick, { ...tick, taskTemplateId: 102 });
  const done: string[] = [];
  const api = fakeApi({
    "PATCH /nodes/{serial}/tasks/tasktemplate/{id}": ({ params }) => {
      const { id } = params as { id: string };
      done.push(id);
      return { ...asThere, taskTemplateId: Number(id), revision: 6 };
    },
  });
  await Promise.all([sendTicks(store, api.call), sendTicks(store, api.call)]);
  expect([done, store.get()]).toEqual([["101", "102"], []]);
  expect(api.asked[0]?.input["body"]).toEqual({ status: "COMPLETED", notes: "", revision: 5, madeTimestamp: 1_800_000_000 });
});
