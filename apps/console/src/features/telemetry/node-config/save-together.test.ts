import type { BatchNode } from "@busbar/contract/telemetry/config-batches.ts";
import { expect, test, vi } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { saveTogether } from "./save-together.ts";

const changes = [
  { key: "np_hp", oldValue: "50", newValue: "60" },
  { key: "v_noise", oldValue: "5", newValue: "6" },
];

/** Two values that the dialog shows as 50 and 5; the node is what the batch says, and `start` is the answer to its start. */
async function save(read: Partial<BatchNode>, start: () => unknown = () => ({}), ended: Partial<BatchNode> = {}) {
  let isStarted = false;
  const batch = () => ({ id: 12, state: isStarted ? "done" : "ready", counts: { sending: 0 }, hash: "a".repeat(64) });
  const started: string[] = [];
  const api = fakeApi({
    "POST /batches": batch,
    "GET /batches/{id}": batch,
    "GET /batches/{id}/nodes": () => [{ state: "waiting", reason: "", confirmedCount: 0, changes, ...(isStarted ? ended : read) }],
    "POST /batches/{id}/start": () => {
      const answer = start();
      isStarted = true;
      return answer;
    },
    "PATCH /batches/{id}": batch,
  });
  const { marks, ...outcome } = await saveTogether(api.call, {
    serial: "10604",
    values: changes,
    code: "123456",
    onStart: (id) => started.push(`batch ${id}`),
    signal: new AbortController().signal,
  });
  const sent = api.asked.flatMap(({ endpoint, input }) =>
    endpoint.endsWith("start") ? ["start"] : endpoint.startsWith("PATCH") ? [input["body"]] : [],
  );
  return { ...outcome, marks: Object.fromEntries(marks), sent, started };
}
const notSent = { np_hp: "not sent", v_noise: "not sent" };
const cancelled = { order: "cancel" };

test("SEC-03 a node that has other values than the dialog shows is sent nothing, and the passcode is not used", async () => {
  const other = changes.map((change) => (change.key === "v_noise" ? { ...change, oldValue: "" } : change));
  expect(await save({ changes: other })).toEqual({
    state: "not-sent",
    text: "v_noise on node 10604 is now (empty), no longer 5. Refresh to see its values.",
    marks: notSent,
    sent: [cancelled],
    started: [],
  });
  expect(await save({ state: "left", reason: "Node 10604 is not connected" })).toMatchObject({
    state: "not-sent",
    text: "Node 10604 is not connected",
    sent: [cancelled],
  });
});

test("CFG-05 what is not sent and what may have been sent differ", async () => {
  const refuse = (status: number, code: string) => () => {
    throw new ApiError(status, code, "words of the server");
  };
  expect(await save({}, refuse(403, "PASSCODE_REFUSED"))).toEqual({
    state: "not-sent",
    text: "words of the server",
    marks: notSent,
    sent: ["start", cancelled],
    started: ["batch 12"],
  });
  expect(await save({}, refuse(0, "NETWORK"))).toMatchObject({
    state: "unclear",
    batchId: 12,
    marks: { np_hp: "unknown", v_noise: "unknown" },
    sent: ["start"],
  });
});

test("CFG-06 a batch that was stopped is followed until what is on its way to the node is settled", async () => {
  let looks = 0;
  const batch = () => ({ id: 12, state: looks === 0 ? "ready" : "stopped", counts: { sending: looks < 3 ? 1 : 0 }, hash: "a".repeat(64) });
  const api = fakeApi({
    "POST /batches": batch,
    "GET /batches/{id}": () => {
      if (looks > 0) looks++;
      return batch();
    },
    "GET /batches/{id}/nodes": () => [
      looks < 3
        ? { state: "waiting", reason: "", confirmedCount: 0, changes }
        : { state: "confirmed", reason: "", confirmedCount: 2, changes },
    ],
    "POST /batches/{id}/start": () => ({ looks: looks++ }),
  });
  const options = { serial: "10604", values: changes, code: "123456", onStart: () => undefined, signal: new AbortController().signal };
  expect(await saveTogether(api.call, options)).toMatchObject({ state: "confirmed" });
});

test.each<[Partial<BatchNode>, object]>([
  [
    { state: "confirmed", confirmedCount: 2 },
    { state: "confirmed", text: "2 values changed on node 10604", marks: { np_hp: "changed", v_noise: "changed" } },
  ],
  [
    { state: "unknown", confirmedCount: 1, reason: "v_noise: the node did not answer" },
    {
      state: "unclear",
      text: "1 of 2 values changed on node 10604. v_noise: the node did not answer",
      marks: { np_hp: "changed", v_noise: "unknown" },
    },
  ],
  [
    { state: "refused", reason: "np_hp: no" },
    { state: "unchanged", text: "0 of 2 values changed on node 10604. np_hp: no", marks: { np_hp: "refused", v_noise: "not sent" } },
  ],
])("CFG-06 what became of each value when the node is %j", async (ended, outcome) => {
  expect(await save({}, undefined, ended)).toMatchObject({ ...outcome, batchId: 12 });
});

test("however often a batch is looked at, nothing is left that waits for the dialog to close", async () => {
  let looks = 0;
  const batch = () => ({ id: 12, state: looks++ < 3 ? "reading" : "ready", counts: { sending: 0 }, hash: "a".repeat(64) });
  const { call } = fakeApi({
    "POST /batches": batch,
    "GET /batches/{id}": batch,
    "GET /batches/{id}/nodes": () => [{ state: "left", reason: "Node 10604 is not connected", confirmedCount: 0, changes }],
    "PATCH /batches/{id}": batch,
  });
  const { signal } = new AbortController();
  const waiting = new Set<unknown>();
  vi.spyOn(signal, "addEventListener").mockImplementation((_type, listener) => void waiting.add(listener));
  vi.spyOn(signal, "removeEventListener").mockImplementation((_type, listener) => void waiting.delete(listener));
  const saved = await saveTogether(call, { serial: "10604", values: changes, code: "123456", onStart: () => undefined, signal });
  expect(saved.text).toBe("Node 10604 is not connected");
  expect(looks).toBeGreaterThan(3);
  expect(waiting.size).toBe(0);
});
