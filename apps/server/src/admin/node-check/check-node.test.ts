import { createRequire } from "node:module";
import type { EventEmitter } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { metricAliases, metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { secretsKeyOf } from "#db/secrets-key.ts";
import { birthMetrics, createTestIngest, scalarMetrics, startTestNode, type TestIngest } from "#testing/test-ingest.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { commands } from "../commands.ts";

interface SparkplugClient extends EventEmitter {
  publishNodeBirth(payload: object, options?: object): void;
  publishNodeData(payload: object, options?: object): void;
  stop(): void;
}
const { newClient } = createRequire(import.meta.url)("sparkplug-client") as { newClient: (config: object) => SparkplugClient };

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
});
afterAll(() => ingest.stop());

/** Runs a command of `npm run admin`; each line is handed on as it is printed. */
async function admin(
  name: string,
  subject: string,
  options: Record<string, string> = {},
  onLine: (line: string) => void = () => undefined,
) {
  const lines: string[] = [];
  const exitCode = await commands.get(name)!.run({
    pool: ingest.database.pool,
    config: { mqttUrl: undefined, nodeMqttUrl: ingest.mqttUrl },
    secretsKey: secretsKeyOf(ingest.dataDir),
    subject,
    options,
    askSecret: () => Promise.resolve(""),
    print: (line) => {
      lines.push(line);
      onLine(line);
    },
  });
  return { lines, exitCode };
}
const wrongOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith("wrong")).map((line) => line.slice(19, line.lastIndexOf(" (")));

test("npm's sparkplug-client connects by what node-credentials prints and the guide says; what it does otherwise is named", async () => {
  await addNode(ingest.database.pool, 10_234);
  const { lines: access } = await admin("node-credentials", "10234");
  const given = (what: string) => new RegExp(`^ +${what} +(\\S+)`, "m").exec(access.join("\n"))?.[1] ?? "";
  const at = Date.now();
  const metrics = (isBirth: boolean) =>
    ["LF", "I1", "I2", "I3", "V1", "V2", "V3", "Version", "Flag"].map((name, index) => ({
      ...(isBirth ? { name: `Scalar/${name}` } : {}),
      alias: metricAliases[`Scalar/${name}` as keyof typeof metricAliases],
      type: index < 7 ? "Float" : "Int32",
      value: index + 1,
      timestamp: at,
    }));
  const control = { name: metricNames.rebirth, type: "Boolean", value: false, timestamp: at };
  let node: SparkplugClient | undefined;
  const connect = () => {
    const client = newClient({
      serverUrl: given("broker"),
      username: given("user name"),
      password: given("password"),
      clientId: given("client id"),
      groupId: given("group"),
      edgeNode: given("client id"),
      version: "spBv1.0",
      keepalive: 30,
    });
    const sendBirth = () =>
      client.publishNodeBirth({ timestamp: Date.now(), metrics: [control, ...metrics(true)] }, { compress: true, algorithm: "GZIP" });
    client.on("error", () => undefined);
    client.on("birth", () => {
      sendBirth();
      client.publishNodeData({ timestamp: Date.now(), metrics: metrics(false) });
    });
    client.on("ncmd", sendBirth);
    node = client;
  };
  const { lines, exitCode } = await admin("check-node", "10234", { seconds: "4" }, (line) => line.startsWith("Watching") && connect());
  node?.stop();
  expect(exitCode).toBe(1);
  expect(lines.find((line) => line.startsWith("Node 10234 sent"))).toContain("2 births, 1 scalar.");
  expect(wrongOf(lines)).toEqual(["The last will has QoS 0; NDEATH has QoS 1.", "NBIRTH has bdSeq without a timestamp."]);
  const notes = lines.filter((line) => line.startsWith("note")).join("\n");
  for (const note of ["bdSeq as UInt64; it is Int64", "no Node Info/Protocol", "repeats the datatype of Scalar/LF", "pq-ingest"])
    expect(notes).toContain(note);
  expect(await ingest.rows("select line_frequency from scalar where serial_number = 10234")).toEqual([{ line_frequency: 1 }]);
  expect(await ingest.rows("select 1 from node_watch union all select 1 from node_watch_event")).toEqual([]);
});

/** A node that goes as soon as it is watched, and comes back when it could not be asked: what is printed of it. */
async function checkReturning(serial: number): Promise<string[]> {
  await ingest.addNode(serial);
  await setLive(ingest.database.pool, serial, { is_connected: true });
  await ingest.rows(`create function go() returns trigger language plpgsql as $$ begin
    update node_live set is_connected = false, changed_xid = pg_current_xact_id() where serial_number = new.serial_number; return new; end $$`);
  await ingest.rows(`create trigger go after insert on node_watch for each row when (new.serial_number = ${serial}) execute function go()`);
  let returned: Promise<unknown> | undefined;
  const comeBack = async () => {
    const refused = "select from node_command where serial_number = $1 and failure = 'not-connected'";
    await expect.poll(() => ingest.rows(refused, [serial])).toHaveLength(1);
    const node = await startTestNode(ingest, serial);
    node.client.on("message", () => void node.birth());
    await node.client.subscribeAsync(`spBv1.0/${groupOf(serial)}/NCMD/${serial}`, { qos: 1 });
    await node.birth();
  };
  const { lines } = await admin("check-node", String(serial), { seconds: "4" }, (line) => {
    if (line.startsWith("Watching")) returned = comeBack();
  });
  await returned;
  return lines;
}

test("a node that keeps to the guide passes; one that was not born meanwhile, or is silent, does not", async () => {
  const returning = checkReturning(10_238);
  for (const serial of [10_235, 10_236, 10_237]) await ingest.addNode(serial);
  const good = await startTestNode(ingest, 10_235);
  const typed = (name: string, datatype: number, value: MetricInput["value"]): MetricInput => ({
    name,
    datatype,
    value: value ?? null,
    timestamp: Date.now(),
  });
  const sendBirth = () =>
    good.birth([
      ...birthMetrics(),
      typed(metricNames.protocol, DataType.Int32, 1),
      typed(metricNames.configRefresh, DataType.String, null),
    ]);
  good.client.on("message", (topic, bytes) => {
    if (!topic.includes("/NCMD/")) return;
    for (const { name, value } of decodePayload(bytes).metrics) {
      if (name === metricNames.rebirth) void sendBirth();
      else if (name === metricNames.configRefresh) void good.data([typed(metricNames.configRefresh, DataType.String, value)]);
    }
  });
  await good.client.subscribeAsync("spBv1.0/n59/NCMD/10235", { qos: 1 });
  await sendBirth();
  await good.data(scalarMetrics(Date.now(), 60));
  const passed = await admin("check-node", "10235", { seconds: "2" });
  expect([wrongOf(passed.lines), passed.exitCode, passed.lines.at(-1)]).toEqual([[], 0, "Nothing is wrong."]);

  // Asked as soon as that is possible.
  expect((await returning).find((line) => line.startsWith("Node 10238 sent"))).toContain("2 births");

  const deaf = await startTestNode(ingest, 10_236);
  await deaf.birth();
  await deaf.data([{ alias: 99, datatype: DataType.Float, value: 1, timestamp: Date.now() }]);
  const now = Date.now.bind(Date);
  let passedMs = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + passedMs);
  onTestFinished(() => clock.mockRestore());
  const failed = await admin("check-node", "10236", { seconds: "1" }, (line) => {
    if (!line.startsWith("Watching")) return;
    void deaf.data([{ alias: 99, datatype: DataType.Float, value: 1, timestamp: Date.now() }]);
    const asked = `select from node_command c, node_watch_event e where c.serial_number = 10236 and c.state = 'sent'
      and e.serial_number = 10236 and e.kind = 'message' and e.topic like '%/NDATA/%'`;
    void vi.waitUntil(async () => (await ingest.rows(asked)).length > 0).then(() => (passedMs = 15_000));
  });
  clock.mockRestore();
  expect(failed.exitCode).toBe(1);
  expect(wrongOf(failed.lines)).toEqual([
    "The node was asked for its birth (Node Control/Rebirth) and did not send it within 15 s.",
    "No NBIRTH came: what the node sends cannot be read.",
    "The platform could not use a message, or a part: alias-never-born.",
  ]);

  await expect(admin("check-node", "10237", { seconds: "1" })).rejects.toMatchObject({
    exitCode: 2,
    message: "Node 10237 sent nothing in 1 second, and no try of it to connect was seen.",
  });
  await expect(admin("check-node", "19999")).rejects.toThrow("There is no node 19999.");
});
