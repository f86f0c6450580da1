import { configDatatypes, type ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { Metric, MetricInput, MetricValue } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createTestIngest, startTestNode, type TestIngest } from "#testing/test-ingest.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { createNodeConfigStore } from "./node-config.store.ts";

const serial = 10_777;
let server: TestApp;
let ingest: TestIngest;
let token: string;
/** What reached the node, as it came. */
const heard: Metric[] = [];

const uuid = "0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e11";
/** A key of each scalar datatype: what the node has, a new value as typed, as shown and on the wire, and what the datatype cannot hold. */
type Case = { now: number | boolean | string; typed: string; shown: string; wire: MetricValue; sentAs?: ConfigDatatype; refused: string[] };
const cases: Record<ConfigDatatype, Case> = {
  Int8: { now: 1, typed: "-128", shown: "-128", wire: -128, refused: ["-129", "128", "1.5", "", "x", "0x1"] },
  Int16: { now: 1, typed: "-32768", shown: "-32768", wire: -32_768, refused: ["32768", "-32769"] },
  Int32: { now: 1, typed: "-2147483648", shown: "-2147483648", wire: -2_147_483_648, refused: ["2147483648"] },
  Int64: { now: 1, typed: "-9223372036854775808", shown: "-9223372036854775808", wire: -(2n ** 63n), refused: ["9223372036854775808"] },
  UInt8: { now: 1, typed: "+255", shown: "255", wire: 255, refused: ["-1", "256"] },
  UInt16: { now: 1, typed: "65535", shown: "65535", wire: 65_535, refused: ["65536"] },
  UInt32: { now: 1, typed: "4294967295", shown: "4294967295", wire: 4_294_967_295, sentAs: "Int64", refused: ["4294967296", "-1"] },
  UInt64: { now: 1, typed: "18446744073709551615", shown: "18446744073709551615", wire: 2n ** 64n - 1n, refused: ["18446744073709551616"] },
  Float: { now: 1, typed: "57.6", shown: "57.6", wire: Math.fround(57.6), refused: ["3.5e38", "1e-60", "NaN", "Infinity", "1,5"] },
  Double: { now: 1, typed: "1.5e-300", shown: "1.5e-300", wire: 1.5e-300, refused: ["1e309", "", "abc"] },
  Boolean: { now: false, typed: "true", shown: "1", wire: true, refused: ["2", "", "on"] },
  String: { now: "a", typed: "", shown: "(empty)", wire: "", refused: ["x".repeat(301), "a\u0000b"] },
  DateTime: { now: 1, typed: "1790000000123", shown: "1790000000123", wire: 1_790_000_000_123, refused: ["-1", "2026-01-01"] },
  Text: { now: "a", typed: "b c", shown: "b c", wire: "b c", refused: ["a\nb"] },
  UUID: { now: "0".repeat(8) + uuid.slice(8), typed: uuid.toUpperCase(), shown: uuid, wire: uuid, refused: ["1234", `${uuid}0`] },
};
const keyOf = (datatype: ConfigDatatype) => `vendor_${datatype}`;
const shownNow = ({ now }: Case) => String(typeof now === "boolean" ? Number(now) : now);

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("keeper"));
  ingest = await createTestIngest({}, server.database);
  await ingest.addNode(serial);
  const node = await startTestNode(ingest, serial);
  const values = new Map<string, MetricInput>(
    configDatatypes.map((datatype) => [
      keyOf(datatype),
      {
        name: `Config/${keyOf(datatype)}`,
        // Implementations disagree on how UInt32 travels; our encoder does not send it.
        datatype: DataType[datatype === "UInt32" ? "Int64" : datatype],
        value: cases[datatype].now,
        timestamp: Date.now(),
      },
    ]),
  );
  node.client.on("message", (_topic, bytes) => {
    const answers = decodePayload(bytes).metrics.flatMap((metric): MetricInput[] => {
      if (metric.name === metricNames.configRefresh)
        return [...values.values(), { name: metric.name, datatype: DataType.String, value: metric.value, timestamp: Date.now() }];
      const requestId = metric.properties?.get("requestId");
      const known = values.get(metric.name?.slice("Config/".length) ?? "");
      if (!requestId || !known) return [];
      heard.push(metric);
      const properties = new Map([
        ["requestId", requestId],
        ["result", { type: DataType.String, value: "OK" }],
      ]);
      return [{ ...known, value: metric.value, timestamp: Date.now(), properties }];
    });
    // The connection may close before the last answer is acknowledged.
    node.data(answers).catch(() => undefined);
  });
  await node.client.subscribeAsync(nodeTopic("NCMD", groupOf(serial), String(serial)), { qos: 1 });
  await node.birth([...values.values()]);
});
afterAll(async () => {
  await ingest.stop();
  await server.stop();
});

const part = (text: string) => encodeURIComponent(/^~*\.{0,2}$/.test(text) ? `~${text}` : text);
const change = (key: string, newValue: string, oldValue: string, code: string) =>
  server.call({
    method: "PATCH",
    url: `/api/nodes/${serial}/config/${part(key)}/${part(newValue)}/2fa/${code}/previous/${part(oldValue)}`,
    token,
  });
const read = async (path: string) => (await server.call({ method: "GET", url: `/api/nodes/${serial}/${path}`, token })).json["data"];
const audit = () =>
  ingest.rows<{ key: string; result: string; new_value: string }>("select key, result, new_value from audit_log order by id desc limit 1");

describe("A-11 CFG-02 a key that only the node knows is changed by the datatype that the node reported", () => {
  test("A-11 the datatypes are read beside the values", async () => {
    expect(await read("config")).toMatchObject(
      Object.fromEntries(configDatatypes.map((datatype) => [keyOf(datatype), shownNow(cases[datatype])])),
    );
    expect(await read("configtypes")).toEqual(
      Object.fromEntries(configDatatypes.map((datatype) => [keyOf(datatype), datatype === "UInt32" ? "Int64" : datatype])),
    );
  });

  // What the encoder cannot send as UInt32 is bounded as one once the node says so.
  const reportUInt32 = () =>
    ingest.rows("update node_config set config_types = config_types || $2 where serial_number = $1", [
      serial,
      JSON.stringify({ [keyOf("UInt32")]: DataType.UInt32 }),
    ]);

  test.each(configDatatypes)("A-11 %s: what it cannot hold is refused before it leaves, and is in the audit log", async (datatype) => {
    await reportUInt32();
    for (const value of cases[datatype].refused) {
      const { status, json } = await change(keyOf(datatype), value, shownNow(cases[datatype]), "000000");
      expect([datatype, value, status]).toEqual([datatype, value, 400]);
      expect(json["errorMessage"]).toMatch(new RegExp(`^newValue: ${keyOf(datatype)} must be `));
      expect(await audit()).toMatchObject([{ key: keyOf(datatype), result: "refused" }]);
    }
  });

  test.each(configDatatypes)("A-11 %s: its outermost value reaches the node with the second factor and is confirmed", async (datatype) => {
    await reportUInt32();
    const { now: _, typed, shown, wire, sentAs = datatype } = cases[datatype];
    const key = keyOf(datatype);
    expect((await change(key, typed, shownNow(cases[datatype]), "000000")).status).toBe(403);
    heard.length = 0;
    const { status, json } = await change(key, typed, shownNow(cases[datatype]), await server.passcode("keeper"));
    expect([status, json["data"] ?? json["errorMessage"]]).toEqual([
      200,
      `${key} changed from ${shownNow(cases[datatype])} to ${shown} on node ${serial}`,
    ]);
    expect(heard.map(({ name, datatype: type, value }) => [name, type, value])).toEqual([[`Config/${key}`, DataType[sentAs], wire]]);
    expect(await audit()).toMatchObject([{ key, result: "confirmed" }]);
    const again = await change(key, typed, shownNow(cases[datatype]), "000000");
    expect([again.status, again.json["errorMessage"]]).toEqual([409, expect.stringContaining(`${key} on node ${serial} is now`)]);
  });

  test("A-63 what came in is cut to what a reader can use, in the log and in what is said of it", async () => {
    const long = "x".repeat(310);
    const entry = () => ingest.rows("select key, old_value, new_value from audit_log order by id desc limit 1");
    const unknown = await change(long, long, long, "000000");
    expect(unknown.json["errorMessage"]).toBe(`key: ${long.slice(0, 64)} is no parameter that can be changed`);
    expect(await entry()).toEqual([{ key: long.slice(0, 64), old_value: long.slice(0, 300), new_value: long.slice(0, 300) }]);
    const outdated = await change(keyOf("Text"), "d", long, "000000");
    expect(outdated.json["errorMessage"]).toMatch(new RegExp(`, no longer x{300}\\. Refresh to see its values\\.$`));
    expect(await entry()).toEqual([{ key: keyOf("Text"), old_value: long.slice(0, 300), new_value: "d" }]);
  });

  test("A-11 a key that the node never reported is no parameter", async () => {
    for (const key of ["vendor_none", "Refresh", "__proto__", "constructor"]) {
      const { status, json } = await change(key, "1", "0", "000000");
      expect([key, status, json["errorMessage"]]).toEqual([key, 400, `key: ${key} is no parameter that can be changed`]);
    }
  });
});

test("A-63 a node behind another is connected while both of them are", async () => {
  const { pool } = server.database;
  const [parent, sub] = [10_778, 10_779];
  await addNode(pool, parent);
  await addNode(pool, sub, undefined, { type: "subNode", parent_serial_number: parent });
  const store = createNodeConfigStore(pool);
  const seen: (boolean | undefined)[] = [];
  for (const [isParentThere, isThere] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    await setLive(pool, parent, { is_connected: isParentThere });
    await setLive(pool, sub, { is_connected: isThere });
    seen.push((await store.findNode(sub))?.isConnected);
  }
  expect(seen).toEqual([false, false, false, true]);
  expect([(await store.findNode(parent))?.isConnected, await store.findNode(10_780)]).toEqual([true, undefined]);
});
