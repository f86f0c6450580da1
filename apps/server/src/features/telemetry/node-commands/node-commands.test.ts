import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { metricAliases, metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { Metric, MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { birthMetrics, createTestIngest, startTestNode, type TestIngest, type TestNode } from "#testing/test-ingest.ts";
import { inTransaction } from "#db/transaction.ts";
import { createNodeAnswersStore } from "./node-answers.store.ts";
import { createNodeCommands, type NodeCommands } from "./node-commands.service.ts";
import { createNodeCommandPruner } from "./node-commands.task.ts";

let ingest: TestIngest;
let commands: NodeCommands;
beforeEach(async () => {
  ingest = await createTestIngest();
  // Another process: it shares nothing with ingest but the database.
  commands = createNodeCommands(ingest.database.pool);
});
afterEach(async () => {
  await commands.stop();
  await ingest.stop();
});

const serial = 10_234;
/** Ends a test that hangs; nothing here depends on it. */
const timeoutMs = 60_000;
const lease = { name: metricNames.liveLeaseSeconds, datatype: DataType.Int32, value: 30 };

/** A born node and the metrics of the commands that reach it. */
async function addListener(born = birthMetrics()): Promise<{ node: TestNode; heard: Metric[][] }> {
  await ingest.addNode(serial);
  const node = await startTestNode(ingest, serial);
  const heard: Metric[][] = [];
  node.client.on("message", (_topic, bytes) => heard.push(decodePayload(bytes).metrics));
  await node.client.subscribeAsync(nodeTopic("NCMD", groupOf(serial), String(serial)), { qos: 1 });
  await node.birth(born);
  return { node, heard };
}

/** What a node says about the command of an id. */
const answerTo = (id: string, result: string, value: number): MetricInput[] => [
  {
    name: "Config/v_noise",
    datatype: DataType.Double,
    value,
    timestamp: Date.now(),
    properties: new Map([
      ["requestId", { type: DataType.String, value: id }],
      ["result", { type: DataType.String, value: result }],
    ]),
  },
];

describe("a command", () => {
  test("reaches its node by the alias of the birth and in the birth's type", async () => {
    const leaseOf = (datatype: number) => ({
      name: lease.name,
      alias: metricAliases[lease.name]!,
      datatype,
      value: 0,
      timestamp: Date.now(),
    });
    const { heard } = await addListener([leaseOf(DataType.Double)]);
    expect(await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs })).toEqual({ state: "sent" });
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]).toMatchObject([{ name: undefined, alias: metricAliases[lease.name], datatype: DataType.Double, value: 30 }]);
  });

  test("goes by name when the birth gave no alias, with its properties", async () => {
    const { heard } = await addListener([]);
    const properties = { requestId: { type: DataType.String, value: "x" }, expires: { type: DataType.DateTime, value: 1_790_000_000_123 } };
    await commands.send({ serialNumber: serial, metrics: [{ ...lease, properties }], timeoutMs });
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]).toMatchObject([{ name: lease.name, alias: undefined, datatype: DataType.Int32, value: 30 }]);
    expect(heard[0]?.[0]?.properties?.get("expires")?.value).toBe(1_790_000_000_123);
  });

  test("A-41 is answered by its own node also when another one's answer to it is stored at the same moment", async () => {
    const { heard } = await addListener();
    const id = "0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e12";
    const outcome = commands.send({ id, serialNumber: serial, metrics: [lease], awaitsAnswer: true, timeoutMs: 8_000 });
    await expect.poll(() => heard).toHaveLength(1);
    const answerOf = (from: number, result: string) => ({
      serial: from,
      atMs: Date.now(),
      values: new Map<string, string>(),
      types: new Map<string, number>(),
      answers: [{ requestId: id, metric: lease.name, result, value: null }],
    });
    await inTransaction(ingest.database.pool, (client) =>
      createNodeAnswersStore().write(client, [answerOf(10_300, "FORGED"), answerOf(serial, "OK")]),
    );
    expect(await outcome).toMatchObject({ state: "answered", answer: { result: "OK" } });
  });

  test("A-63 what a node reports of its configuration is added key by key, with its time; one that invents keys starts over", async () => {
    const [known, same] = [10_310, 10_311];
    for (const one of [known, same]) await ingest.addNode(one);
    const report = (from: number, atMs: number, values: Record<string, string>, types: Record<string, number> = {}) =>
      inTransaction(ingest.database.pool, (client) =>
        createNodeAnswersStore().write(client, [
          { serial: from, atMs, values: new Map(Object.entries(values)), types: new Map(Object.entries(types)), answers: [] },
        ]),
      );
    const rows = () =>
      ingest.rows(
        "select extract(epoch from told_at)::int4 as at, config_values as values, config_types as types from node_config where serial_number in ($1, $2) order by serial_number",
        [known, same],
      );
    const other = { at: 1, values: { a: "0" }, types: {} };
    await report(same, 1_000, { a: "0" });
    await report(known, 2_000, { a: "1", b: "2" }, { a: 9, b: 10 });
    await report(known, 3_000, { b: "3", c: "4" }, { b: 11 });
    expect(await rows()).toEqual([{ at: 3, values: { a: "1", b: "3", c: "4" }, types: { a: 9, b: 11 } }, other]);
    // Nothing reported: nothing known anew.
    await report(known, 4_000, {}, { a: 12 });
    expect(await rows()).toEqual([expect.objectContaining({ at: 3, types: { a: 9, b: 11 } }), other]);
    await report(known, 5_000, Object.fromEntries(Array.from({ length: 497 }, (_, key) => [`k${key}`, ""])));
    await report(known, 6_000, { d: "5" });
    expect(await rows()).toEqual([{ at: 6, values: expect.objectContaining({ a: "1", d: "5" }) as object, types: { a: 9, b: 11 } }, other]);
    await report(known, 7_000, { e: "6" }, { e: 13 });
    expect(await rows()).toEqual([{ at: 7, values: { e: "6" }, types: { e: 13 } }, other]);
  });

  test("to a node that is away fails at once and is never sent later", async () => {
    await ingest.addNode(10_235);
    const outcome = await commands.send({ serialNumber: 10_235, metrics: [lease], timeoutMs: 30_000 });
    expect(outcome).toEqual({ state: "not-sent", reason: "not-connected" });
    expect(await ingest.rows("select 1 from node_command where state <> 'failed'")).toEqual([]);
  });

  test("that no ingest process takes in time ends as not sent, and is not sent when one comes", async () => {
    const { heard } = await addListener();
    // Ingest cannot look while someone holds this table.
    const holder = await ingest.database.pool.connect();
    await holder.query("begin");
    await holder.query("lock table node_birth in access exclusive mode");
    const outcome = await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs: 300 });
    await holder.query("rollback");
    holder.release();
    expect(outcome).toEqual({ state: "not-sent", reason: "no-ingest" });
    expect(await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs })).toEqual({ state: "sent" });
    await expect.poll(() => heard).toHaveLength(1);
  });

  test("is answered by the echo of its own id, once, and by its own node only", async () => {
    const { node, heard } = await addListener();
    const other = 10_300;
    await ingest.addNode(other);
    const stranger = await startTestNode(ingest, other);
    await stranger.birth();
    const id = randomUUID();
    const outcome = commands.send({ id, serialNumber: serial, metrics: [lease], awaitsAnswer: true, timeoutMs });
    await expect.poll(() => heard).toHaveLength(1);
    await stranger.data(answerTo(id, "OK", 1));
    await node.data(answerTo(id, "CONFLICT", 2));
    await node.data(answerTo(id, "OK", 3));
    expect(await outcome).toEqual({ state: "answered", answer: { metric: "Config/v_noise", result: "CONFLICT", value: "2" } });
    expect(await ingest.rows("select serial_number, config_values from node_config order by 1")).toEqual([
      { serial_number: serial, config_values: { v_noise: "3" } },
      { serial_number: other, config_values: { v_noise: "1" } },
    ]);
  });

  test("that is exclusive waits for no one: a second one is answered that the node is busy, until the first is over", async () => {
    const { node, heard } = await addListener();
    const command = (isExclusive: boolean) => {
      const id = randomUUID();
      const outcome = commands.send({ id, serialNumber: serial, metrics: [lease], awaitsAnswer: true, isExclusive, timeoutMs });
      return { outcome, end: () => node.data(answerTo(id, "OK", 1)) };
    };
    const other = command(false);
    await expect.poll(() => heard).toHaveLength(1);
    expect(await commands.isWriteUnderWay(serial)).toBe(false);
    const first = command(true);
    await expect.poll(() => heard).toHaveLength(2);
    expect([await commands.isWriteUnderWay(serial), await commands.isWriteUnderWay(serial + 1)]).toEqual([true, false]);
    expect(await command(true).outcome).toEqual({ state: "not-sent", reason: "busy" });
    await first.end();
    await other.end();
    expect([await first.outcome, await other.outcome]).toMatchObject([{ state: "answered" }, { state: "answered" }]);
    const next = command(true);
    await expect.poll(() => heard).toHaveLength(3);
    await next.end();
    expect(await next.outcome).toMatchObject({ state: "answered" });
  });

  test("of a process that died does not block its node for ever, and is not sent too late", async () => {
    const { heard } = await addListener();
    await ingest.rows(
      `insert into node_command (id, serial_number, metrics, awaits_answer, is_exclusive, state, expires_at)
       values (gen_random_uuid(), $1, '[]', false, false, 'pending', now() - interval '1 second')`,
      [serial],
    );
    await ingest.rows(
      `insert into node_command (id, serial_number, metrics, awaits_answer, is_exclusive, state, expires_at)
       values (gen_random_uuid(), $1, '[]', true, true, 'sent', now() - interval '1 second')`,
      [serial],
    );
    expect(await commands.isWriteUnderWay(serial)).toBe(false);
    const outcome = await commands.send({ serialNumber: serial, metrics: [lease], isExclusive: true, timeoutMs });
    expect(outcome).toEqual({ state: "sent" });
    await expect.poll(() => heard).toEqual([[expect.objectContaining({ value: 30 })]]);
    expect(await ingest.rows("select failure, sent_at from node_command where not is_exclusive")).toEqual([
      { failure: "no-ingest", sent_at: null },
    ]);
  });

  test("is handed over together with what is beside it, or not at all", async () => {
    await addListener();
    const failing = { serialNumber: serial, metrics: [lease], timeoutMs, alongside: () => Promise.reject(new Error("refused")) };
    await expect(commands.send(failing)).rejects.toThrow("refused");
    expect(await ingest.rows("select 1 from node_command")).toEqual([]);
  });

  test("works on after both sides lost their listening connections", async () => {
    const { heard } = await addListener();
    await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs });
    await ingest.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%listen node_command%' and pid <> pg_backend_pid()",
    );
    expect(await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs })).toEqual({ state: "sent" });
    await expect.poll(() => heard).toHaveLength(2);
  });

  test("is forgotten a day later", async () => {
    await addListener();
    await commands.send({ serialNumber: serial, metrics: [lease], timeoutMs });
    const clock = createManualClock();
    const pruner = createNodeCommandPruner(ingest.database.pool, clock);
    clock.advance(23 * 3_600);
    expect(await pruner.run(new AbortController().signal)).toBe(0);
    clock.advance(2 * 3_600);
    expect(await pruner.run(new AbortController().signal)).toBe(1);
  });
});
