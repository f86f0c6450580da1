import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { startFleet, type Fleet, type FleetOptions } from "./fleet.ts";
import { createScalarRow, scalarField } from "./node-model/scalar-row.ts";
import type { SimNode } from "./node-model/sim-node.ts";
import { sampleNode } from "./testing/sample-node.ts";
import { startTestBroker, type HeardMessage, type TestBroker } from "./testing/test-broker.ts";

const serial = 10234;
const startEpochSeconds = 1_770_000_000;
let broker: TestBroker;
let fleet: Fleet | undefined;

beforeEach(async () => {
  broker = await startTestBroker();
  fleet = undefined;
});
afterEach(async () => {
  await fleet?.stop();
  await broker.stop();
});

/** A fleet of healthy nodes at 50-fold speed: a scalar each fifth of a second. */
function start(change: Partial<SimNode>[] = [{}], options: Partial<FleetOptions> = {}): Fleet {
  const nodes = change.map((one) => sampleNode(one));
  fleet = startFleet({
    nodes,
    to: broker.url,
    seed: 5,
    speed: 50,
    startEpochSeconds,
    startDelayMaxSeconds: 0,
    faults: { scale: 0 },
    ...options,
  });
  return fleet;
}

const isScalar = (message: HeardMessage) => message.kind.endsWith("DATA") && message.metrics.has("Scalar/LF");
const isHistorical = (message: HeardMessage) => message.metrics.get("Scalar/LF")!.isHistorical;
const timesOf = (messages: HeardMessage[]) => messages.filter(isScalar).map(({ metrics }) => metrics.get("Scalar/LF")!.timestamp! / 1000);
const bdSeqOf = (message: HeardMessage) => message.metrics.get("bdSeq")!.value;
const text = (value: string) => ({ type: DataType.String, value });

async function born(count = 1): Promise<HeardMessage> {
  await broker.setHost(true);
  return broker.waitFor(`birth ${count}`, () => broker.of(serial, "NBIRTH")[count - 1]);
}
const scalars = (count: number) =>
  broker.waitFor(`${count} scalars`, () => timesOf(broker.of(serial)).length >= count && broker.of(serial));

describe("birth and data", () => {
  test("waits for the host, then births with every metric and sends its scalars with consecutive seq", async () => {
    start();
    await broker.waitFor("the connection", () => broker.connects.length > 0);
    expect(broker.heard).toHaveLength(0);
    const birth = await born();
    expect(birth.payload.seq).toBe(0);
    expect(bdSeqOf(birth)).toBe(0);
    expect(birth.qos).toBe(0);
    const incomplete = birth.payload.metrics.filter(({ name, datatype, timestamp }) => !name || !datatype || !timestamp);
    expect(incomplete).toEqual([]);
    expect(birth.metrics.get("Config/np_voltage")).toMatchObject({ alias: 106, value: 460 });
    expect(birth.metrics.get("Node Info/MAC")!.value).toBe("02:42:00:00:27:FA");
    expect(birth.metrics.get("Node Control/Rebirth")).toMatchObject({ alias: undefined, value: false });
    expect(birth.metrics.get("Files/Data")!.isNull).toBe(true);

    const heard = await scalars(4);
    expect(heard.map(({ payload }) => payload.seq)).toEqual(heard.map((_, i) => i));
    // Of a busy machine one may be late, which its flag says.
    const data = await broker.waitFor("a scalar of now", () => broker.of(serial).findLast((one) => isScalar(one) && !isHistorical(one)));
    expect(data.payload.metrics.every(({ name, datatype }) => name === undefined && datatype === undefined)).toBe(true);
    const t = data.metrics.get("Scalar/LF")!.timestamp! / 1000;
    expect(t % 10).toBe(serial % 10);
    const row = createScalarRow();
    fleet!.plant.nodes.get(serial)!.model.scalarAt(t, row);
    expect(data.metrics.get("Scalar/V3")!.value).toBeCloseTo(row[scalarField.v3]!, 3);
    expect(data.metrics.get("Meter/PF1")!.value).toBeCloseTo(row[scalarField.pf1]!, 6);
    expect(data.metrics.get("Scalar/Flag")!.value).toBe(row[scalarField.flag]);
  });

  test("births again with the same bdSeq when the host requests it", async () => {
    start();
    await born();
    await scalars(2);
    await broker.command(serial, [{ name: "Node Control/Rebirth", datatype: DataType.Boolean, value: true }]);
    const [, again] = await broker.waitFor("a rebirth", () => broker.of(serial, "NBIRTH").length === 2 && broker.of(serial, "NBIRTH"));
    expect(bdSeqOf(again!)).toBe(0);
    expect(again!.payload.seq).toBe(0);
    expect(broker.connects).toHaveLength(1);
  });

  test("a subNode reports through its parent and shares its seq", async () => {
    start([{}, { serial: 20_001, type: "subNode", parentSerial: serial }]);
    await born();
    await broker.waitFor("data of the device", () => broker.of(serial, "DDATA").some(isScalar));
    const heard = broker.of(serial);
    expect(heard[1]).toMatchObject({ kind: "DBIRTH", device: 20_001 });
    expect(heard[1]!.metrics.has("bdSeq")).toBe(false);
    const aliases = heard.slice(0, 2).flatMap(({ payload }) => payload.metrics.flatMap(({ alias }) => alias ?? []));
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(heard.map(({ payload }) => payload.seq)).toEqual(heard.map((_, i) => i));
  });

  test("a relay reports its configuration and has no scalar stream; other types never connect", async () => {
    start([{}, { serial: 30_001, type: "SEL" }, { serial: 30_002, type: "Gateway" }]);
    await broker.setHost(true);
    const birth = await broker.waitFor("the relay's birth", () => broker.of(30_001, "NBIRTH")[0]);
    expect(birth.metrics.has("Config/np_voltage")).toBe(true);
    expect(birth.metrics.has("Scalar/LF")).toBe(false);
    await scalars(2);
    expect(broker.of(30_001, "NDATA").some(isScalar)).toBe(false);
    expect(broker.connects).not.toContain("30002");
  });
});

describe("death", () => {
  test("says its death and disconnects when it stops, and the broker sends no Will", async () => {
    start();
    const birth = await born();
    await fleet!.stop();
    const deaths = await broker.waitFor("the death", () => broker.of(serial, "NDEATH").length > 0 && broker.of(serial, "NDEATH"));
    expect(deaths).toHaveLength(1);
    expect(bdSeqOf(deaths[0]!)).toBe(bdSeqOf(birth));
    expect(deaths[0]!.payload.seq).toBeUndefined();
    expect(deaths[0]!.qos).toBe(1);
  });

  test("a cut connection: the Will with the birth's bdSeq, then a birth with the next one and the last two minutes again", async () => {
    start();
    await born();
    const before = timesOf(await scalars(5));
    broker.cut(serial);
    const second = await born(2);
    const [will] = broker.of(serial, "NDEATH");
    expect(bdSeqOf(will!)).toBe(0);
    expect(bdSeqOf(second)).toBe(1);
    const historical = await broker.waitFor("the re-sent scalars", () => {
      const messages = broker.of(serial).filter((message) => isScalar(message) && isHistorical(message));
      return before.every((t) => timesOf(messages).includes(t)) && messages;
    });
    expect(Number(historical[0]!.metrics.get("Scalar/Flag")!.value) & 32).toBe(32);
    const first = broker.of(serial).find(isScalar)!;
    const copy = historical.find((message) => timesOf([message])[0] === timesOf([first])[0])!;
    expect(copy.metrics.get("Scalar/I1")!.value).toBe(first.metrics.get("Scalar/I1")!.value);
  });

  test("the host goes: death and disconnect; it returns: a new birth and every scalar of the time between", async () => {
    start();
    await born();
    await scalars(2);
    expect(fleet!.phases()).toEqual(new Map([[serial, "born"]]));
    await broker.setHost(false);
    await broker.waitFor("the death", () => broker.of(serial, "NDEATH").length > 0);
    await broker.waitFor("the new connection", () => broker.connects.length >= 2);
    await broker.waitFor("the node to wait for its host", () => fleet!.phases().get(serial) === "waiting");
    expect(broker.of(serial, "NBIRTH")).toHaveLength(1);
    await broker.waitFor("scalars that wait in the node", () => fleet!.stats().buffered >= 3);
    const second = await born(2);
    expect(bdSeqOf(second)).toBe(1);
    await broker.waitFor("a stream without a gap", () => {
      const times = new Set(timesOf(broker.of(serial)));
      const last = Math.max(...times);
      const live = broker.of(serial).filter((message) => isScalar(message) && !isHistorical(message));
      return timesOf(live).at(-1)! > second.payload.timestamp! / 1000 && times.size === (last - Math.min(...times)) / 10 + 1;
    });
  });

  test("an offline STATE older than the host's last one is ignored", async () => {
    start();
    const now = Date.now();
    await broker.setHost(true, now);
    await broker.waitFor("the birth", () => broker.of(serial, "NBIRTH").length === 1);
    await broker.setHost(false, now - 1000);
    await scalars(3);
    expect(broker.of(serial, "NDEATH")).toHaveLength(0);
  });
});

test("store and forward: nothing is missing after a broker restart", async () => {
  start();
  await born();
  await scalars(3);
  const { port } = broker;
  const heardBefore = timesOf(broker.of(serial));
  await broker.stop();
  await broker.waitFor("scalars that wait in the node", () => fleet!.stats().buffered >= 3);
  broker = await startTestBroker(port);
  await born();
  const first = heardBefore[0]!;
  const messages = await broker.waitFor("every scalar since the start, once the stream is live again", () => {
    const heard = broker.of(serial).filter(isScalar);
    const live = timesOf(heard.filter((message) => !isHistorical(message)));
    const all = new Set(timesOf(heard));
    const expected = live.length === 0 ? 0 : (live.at(-1)! - first) / 10 + 1;
    return expected > 0 && all.size >= expected && heard;
  });
  const firstLive = timesOf(messages.filter((message) => !isHistorical(message)))[0]!;
  const historical = timesOf(messages.filter(isHistorical));
  // what was sent before the restart comes once more, then what was measured without a broker
  expect(historical).toEqual(expect.arrayContaining(heardBefore));
  expect(historical.filter((t) => t > heardBefore.at(-1)! && t < firstLive).length).toBeGreaterThan(0);
});

describe("commands", () => {
  const write = (alias: number, value: number, properties: [string, { type: number; value: string | number }][]) =>
    broker.command(serial, [{ alias, datatype: DataType.Double, value, properties: new Map(properties) }]);
  const answer = (requestId: string) =>
    broker.waitFor(`the answer to ${requestId}`, () => {
      for (const { metrics } of broker.of(serial, "NDATA")) {
        for (const metric of metrics.values()) if (metric.properties?.get("requestId")?.value === requestId) return metric;
      }
      return undefined;
    });

  test("configuration: compare-and-set with expiry, answered with the current value", async () => {
    start();
    await born();
    const later = { type: DataType.DateTime, value: (startEpochSeconds + 86_400) * 1000 };
    await write(106, 480, [
      ["requestId", text("a")],
      ["previous", text("440")],
      ["user", text("kim")],
      ["expires", later],
    ]);
    const conflict = await answer("a");
    expect(conflict.value).toBe(460);
    expect(conflict.properties!.get("result")!.value).toBe("CONFLICT");

    const past = { type: DataType.DateTime, value: (startEpochSeconds - 1) * 1000 };
    await write(106, 480, [
      ["requestId", text("late")],
      ["previous", text("460")],
      ["expires", past],
    ]);
    await write(106, 480, [
      ["requestId", text("b")],
      ["previous", text("460.0")],
      ["expires", later],
    ]);
    const written = await answer("b");
    expect(written.value).toBe(480);
    expect(written.properties!.get("result")!.value).toBe("OK");
    const ids = broker
      .of(serial, "NDATA")
      .flatMap(({ metrics }) => [...metrics.values()].map((m) => m.properties?.get("requestId")?.value));
    expect(ids).not.toContain("late");

    await write(106, 3, [
      ["requestId", text("c")],
      ["previous", text("480")],
    ]);
    expect((await answer("c")).properties!.get("result")!.value).toBe("INVALID");
    await write(106, 490, [["requestId", text("d")]]);
    expect((await answer("d")).properties!.get("result")!.value).toBe("INVALID");
  });

  test("Config/Refresh publishes the whole configuration and echoes the request", async () => {
    start();
    await born();
    await broker.command(serial, [{ name: "Config/Refresh", datatype: DataType.String, value: "request-1" }]);
    const message = await broker.waitFor("the echo", () =>
      broker.of(serial, "NDATA").find(({ metrics }) => metrics.get("Config/Refresh")?.value === "request-1"),
    );
    expect([...message.metrics.keys()].filter((name) => name.startsWith("Config/"))).toHaveLength(31);
  });

  test("a live lease publishes each second with the meter until it ends; a reset zeroes the accumulators", async () => {
    start();
    await born();
    await scalars(3);
    await broker.command(serial, [{ alias: 39, datatype: DataType.Int32, value: 30 }]);
    await broker.waitFor("the end of the lease", () =>
      broker.of(serial, "NDATA").some(({ metrics }) => metrics.get("Meter/Live Lease s")?.value === 0),
    );
    const times = timesOf(broker.of(serial));
    expect(times.filter((t, i) => i > 0 && t === times[i - 1]! + 1).length).toBeGreaterThanOrEqual(25);
    const meters = broker.of(serial, "NDATA").filter(({ metrics }) => metrics.has("Meter/kWh"));
    expect(meters.length).toBeGreaterThanOrEqual(25);
    expect(meters.at(-1)!.metrics.get("Meter/Ah")!.value).toBeGreaterThan(0.2);

    await broker.command(serial, [{ alias: 40, datatype: DataType.Boolean, value: true }]);
    const reset = await broker.waitFor("the reset", () =>
      broker.of(serial, "NDATA").find(({ metrics }) => metrics.get("Meter/Reset")?.value === false && metrics.has("Meter/Ah")),
    );
    expect(reset.metrics.get("Meter/Ah")!.value).toBe(0);
  });

  test("a hung node takes a write and never answers; unreadable commands do no harm", async () => {
    start([{ quirks: { neverAnswersCommands: true } }]);
    await born();
    await write(106, 480, [
      ["requestId", text("a")],
      ["previous", text("460")],
    ]);
    await broker.waitFor("the command to arrive", () => fleet!.stats().commands >= 1);
    const seen = timesOf(broker.of(serial)).length;
    await scalars(seen + 3);
    const answered = broker.of(serial, "NDATA").some(({ metrics }) => [...metrics.values()].some(({ properties }) => properties));
    expect(answered).toBe(false);
  });
});

describe("misbehaviour and faults", () => {
  test("bad payloads of one node: its neighbour's stream stays whole", async () => {
    start([{ serial: 10_300, quirks: { badPayloads: 1 } }, {}]);
    await born();
    await broker.waitFor("malformed messages", () => broker.malformed.length >= 2);
    const heard = await scalars(6);
    expect(heard.map(({ payload }) => payload.seq)).toEqual(heard.map((_, i) => i));
    expect(broker.malformed.every((topic) => topic.endsWith("/10300"))).toBe(true);
  });

  test("a wrong clock shows in every timestamp", async () => {
    start([{ quirks: { clockOffsetSeconds: 3600 } }]);
    const birth = await born();
    expect(birth.payload.timestamp! / 1000).toBeGreaterThan(startEpochSeconds + 3590);
    const times = timesOf(await scalars(1));
    expect(times[0]).toBeGreaterThan(startEpochSeconds + 3590);
  });

  test("a link outage ends with the Will, a new birth and the scalars of its time", async () => {
    const lines: string[] = [];
    start([{}], {
      truthLog: (line) => lines.push(line),
      faults: {
        scale: 0,
        script: [
          {
            kind: "linkOutage",
            start: startEpochSeconds + 60,
            durationSeconds: 60,
            facilityKey: undefined,
            serial,
            params: {},
            source: "script",
          },
        ],
      },
    });
    await born();
    await broker.waitFor("the Will", () => broker.of(serial, "NDEATH").length > 0);
    await born(2);
    const inOutage = [64, 74, 84, 94, 104, 114].map((offset) => startEpochSeconds + offset);
    await broker.waitFor("the scalars of the outage", () => inOutage.every((t) => timesOf(broker.of(serial)).includes(t)));
    await fleet!.stop();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { at: startEpochSeconds + 60, durationS: 60, serial, fault: "linkOutage", params: {}, source: "script", isRunning: true },
    ]);
  });

  test("a node that never connects never does", async () => {
    start([{ quirks: { neverConnects: true } }, { serial: 10_300 }]);
    await broker.setHost(true);
    await broker.waitFor("the other node", () => broker.of(10_300).length > 2);
    expect(broker.connects).toEqual(["10300"]);
  });
});
