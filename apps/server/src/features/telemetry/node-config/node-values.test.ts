import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import type { CommandOutcome, NewNodeCommand } from "#features/telemetry/node-commands/node-command.ts";
import type { NodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createNodeValues, datatypeOf, type ConfigWriter } from "./node-values.ts";
import type { ConfigNode } from "./node-config.store.ts";

const node: ConfigNode = {
  isConnected: true,
  clockSkewMs: 1_500.4,
  locationId: 7,
  locationName: "Feed Pump 1",
  timezone: "America/Denver",
  values: { np_hp: "50" },
  types: null,
};
const change = { serial: "10001", key: "np_hp", oldValue: "50", newValue: "60", typedValue: "60.0\n" };
const commandId = "0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e11";
const answered = (result: string, value: string): CommandOutcome => ({
  state: "answered",
  answer: { metric: "Config/np_hp", result, value },
});

/** What is done for a change whose command ends so, in its order. */
function createTested(outcome: CommandOutcome | undefined, { has = "50", isBusy = false } = {}) {
  const deeds: unknown[] = [];
  const commands: NewNodeCommand[] = [];
  const client = {
    async query(statement: string | { name: string; values: unknown[] }) {
      if (typeof statement === "string") return { rows: [] };
      const { name, values } = statement;
      if (name === "config-node") return { rows: [{ ...node, values: { np_hp: has } }] };
      deeds.push([name, ...(name === "record-activity" ? [(values as unknown[][])[4]![0], (values as unknown[][])[6]![0]] : values)]);
      return { rows: [{ id: 5 }] };
    },
    release: () => undefined,
  };
  const pool = { ...client, connect: async () => client } as unknown as Pool;
  const nodeCommands: Partial<NodeCommands> = {
    async send(command) {
      commands.push(command);
      if (!isBusy) await command.alongside?.(client as never);
      return command.isExclusive ? (outcome ?? { state: "unanswered" }) : answered("OK", "");
    },
    settle: async () => outcome,
  };
  const clock = createManualClock(1_790_000_000_000);
  const values = createNodeValues({ pool, nodeCommands: nodeCommands as NodeCommands, clock, answerTimeoutMs: 15_000 });
  const writer: ConfigWriter = {
    username: "keeper",
    commandId,
    batchId: 3,
    handOver: async (_, auditId) => void deeds.push(`handed over as ${auditId}`),
    settle: async (_, { result }) => void deeds.push(`settled as ${result}`),
  };
  return { values, writer, deeds, commands };
}
const auditOf = (result: string, detail = "") => [
  "insert-audit",
  "keeper",
  10_001,
  7,
  "Feed Pump 1",
  "America/Denver",
  "np_hp",
  "50",
  "60.0",
  result,
  detail,
  3,
];

test("A-63 a node writes only what it is asked in time by its own clock, while it has the value that was seen", async () => {
  const { values, writer, commands } = createTested(answered("OK", "60"));
  await values.write(writer, change, node);
  expect(commands).toMatchObject([{ id: commandId, serialNumber: 10_001, awaitsAnswer: true, isExclusive: true, timeoutMs: 15_000 }]);
  expect(commands[0]!.metrics).toEqual([
    {
      name: "Config/np_hp",
      datatype: DataType.Double,
      value: 60,
      properties: {
        requestId: { type: DataType.String, value: commandId },
        previous: { type: DataType.String, value: "50" },
        user: { type: DataType.String, value: "keeper" },
        expires: { type: DataType.DateTime, value: 1_790_000_016_500 },
      },
    },
  ]);
});

const silence = "The node did not answer; the value may or may not have changed. Refresh to see it.";
const conflicting = "np_hp on node 10001 is not 50 any more; it is 55 there. Refresh to see its values.";
test.each<[string, CommandOutcome, unknown[]]>([
  [
    "confirmed",
    answered("OK", "60"),
    [
      ["settle-audit", 5, "confirmed", ""],
      ["record-activity", "np_hp of node 10001 was changed", '{"auditId":5}'],
    ],
  ],
  ["unchanged", answered("UNCHANGED", "60"), [["settle-audit", 5, "unchanged", ""]]],
  ["refusedByNode", answered("CONFLICT", "55"), [["settle-audit", 5, "refusedByNode", conflicting]]],
  [
    "unanswered",
    { state: "unanswered" },
    [
      ["settle-audit", 5, "unanswered", silence],
      ["record-activity", "np_hp of node 10001 may have been changed: the node did not answer", '{"auditId":5}'],
    ],
  ],
])("A-63 an attempt is in the audit log before it is sent, and ends there as %s", async (result, outcome, ended) => {
  const { values, writer, deeds } = createTested(outcome);
  expect(await values.write(writer, change, node)).toMatchObject({ result });
  expect(deeds).toEqual([auditOf("sent"), "handed over as 5", `settled as ${result}`, ...ended]);
});

test("A-63 what another change kept from being sent is in the audit log as refused", async () => {
  const { values, writer, deeds } = createTested({ state: "not-sent", reason: "busy" }, { isBusy: true });
  const refusal = "Another change is on its way to node 10001. Nothing was changed; try again in a moment";
  expect(await values.write(writer, change, node)).toMatchObject({ result: "refused", refusal: { message: refusal } });
  expect(deeds).toEqual([auditOf("refused", refusal), "settled as refused"]);
});

test.each<[string, CommandOutcome | undefined, string, string]>([
  ["answered", answered("OK", "60"), "50", "confirmed"],
  ["not answered, and the node has the value", { state: "unanswered" }, "60.0", "confirmed"],
  ["not answered, and the node has it not", { state: "unanswered" }, "50", "unanswered"],
  ["not known any more, and the node has the value", undefined, "60", "confirmed"],
  ["refused, and the node has the value all the same", answered("READONLY", "60"), "60", "refusedByNode"],
])("A-63 a change of a process that ended was %s", async (_, outcome, has, result) => {
  const { values, writer, deeds, commands } = createTested(outcome, { has });
  expect(await values.resume(writer, change, commandId, 5)).toMatchObject({ result });
  expect(deeds.slice(0, 2)).toEqual([`settled as ${result}`, ["settle-audit", 5, result, expect.any(String)]]);
  // It is asked only where no one knows.
  expect(commands).toHaveLength(outcome?.state === "answered" ? 0 : 1);
});

test.each<[string, object, object | null, string | undefined]>([
  ["np_hp", { np_hp: "1" }, { np_hp: DataType.Float }, "Float"],
  ["np_hp", { np_hp: "1" }, {}, "String"],
  ["np_hp", { np_hp: "1" }, null, "String"],
  ["np_hp", {}, { np_hp: DataType.Float }, undefined],
  ["constructor", { constructor: "1" }, {}, "String"],
  ["constructor", {}, {}, undefined],
  ["np_hp", { np_hp: "1" }, { np_hp: 999 }, undefined],
])("A-63 the datatype of %s among %j with %j is %s", (key, values, types, datatype) => {
  expect(datatypeOf({ ...node, values: values as Record<string, string>, types: types as Record<string, number> | null }, key)).toBe(
    datatype,
  );
});
