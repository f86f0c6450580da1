import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { decodePayload } from "./decode.ts";
import { createEdgeSession, type EdgeMessage } from "./edge-session.ts";
import { encodePayload } from "./encode.ts";
import { createHostSession } from "./host-session.ts";
import type { MetricInput } from "./payload.ts";
import type { HostEffect, SessionKind, SessionMessage } from "./session-types.ts";
import { parseTopic } from "./topic.ts";

const float = (alias: number, value: number, name?: string): MetricInput => ({
  name,
  alias,
  datatype: DataType.Float,
  value,
  timestamp: value,
});
const births = [float(1, 0, "Scalar/LF"), float(2, 0, "Scalar/I1")];

function received({ topic, payload }: Pick<EdgeMessage, "topic" | "payload">): SessionMessage {
  const parsed = parseTopic(topic)!;
  if (parsed.kind === "STATE") throw new Error("not a node's message");
  return { kind: parsed.kind as SessionKind, device: parsed.device, payload: decodePayload(payload) };
}

function startNode() {
  const edge = createEdgeSession({ group: "n58", edge: "10234" });
  const will = edge.connect(1);
  const host = createHostSession();
  const send = (message: EdgeMessage, now = 0) => host.receive(received(message), now);
  return { edge, will, host, send };
}

const settledAs = (effects: HostEffect[]) => effects.flatMap((effect) => (effect.type === "settled" ? [effect.as] : []));
const reasons = (effects: HostEffect[]) => effects.flatMap((effect) => (effect.type === "rebirth-needed" ? [effect.reason] : []));
const problems = (effects: HostEffect[]) => effects.flatMap((effect) => (effect.type === "settled" ? effect.problems : []));
const values = (effects: HostEffect[]) =>
  effects.flatMap((effect) => (effect.type === "settled" ? effect.message.payload.metrics.map(({ name, value }) => [name, value]) : []));
const verified = (effects: HostEffect[]) => effects.flatMap((effect) => (effect.type === "settled" ? [effect.isVerified] : []));

describe("births and data", () => {
  test("data by alias gets the names and types of the birth", () => {
    const { edge, host, send } = startNode();
    expect(settledAs(send(edge.birth([...births, { name: "n", alias: 3, datatype: DataType.Int32, value: 1 }], 2)))).toEqual(["birth"]);
    expect(host.isOnline).toBe(true);
    const effects = send(edge.data([float(1, 60), { alias: 3, datatype: DataType.Int32, value: -5 }], 3));
    expect(values(effects)).toEqual([
      ["Scalar/LF", 60],
      ["n", -5],
    ]);
    expect(verified(effects)).toEqual([true]);
  });

  test("data before a birth is settled unverified and requests a rebirth, again only after 5 s", () => {
    const { edge, send } = startNode();
    const first = send(edge.data([float(1, 60, "Scalar/LF")], 3), 0);
    expect(values(first)).toEqual([["Scalar/LF", 60]]);
    expect(verified(first)).toEqual([false]);
    expect(reasons(first)).toEqual(["no-birth"]);
    expect(reasons(send(edge.data([], 4), 4_999))).toEqual([]);
    expect(reasons(send(edge.data([], 5), 5_000))).toEqual(["no-birth"]);
  });

  test("a second birth with the same bdSeq is a rebirth, with another one a new session", () => {
    const { edge, send } = startNode();
    send(edge.birth(births, 2));
    expect(settledAs(send(edge.birth(births, 3)))).toEqual(["rebirth"]);
    edge.connect(4);
    expect(settledAs(send(edge.birth(births, 5)))).toEqual(["birth"]);
  });

  test("a birth may begin with any seq", () => {
    const { edge, host } = startNode();
    const birth = received(edge.birth(births, 2));
    birth.payload.seq = 200;
    host.receive(birth, 0);
    const next = received(edge.data([float(1, 60)], 3));
    next.payload.seq = 201;
    expect(verified(host.receive(next, 0))).toEqual([true]);
  });

  test("an alias that was never born drops that metric only and requests a rebirth", () => {
    const { edge, send } = startNode();
    send(edge.birth(births, 2));
    const effects = send(edge.data([float(1, 60), float(77, 1)], 3));
    expect(values(effects)).toEqual([["Scalar/LF", 60]]);
    expect(problems(effects)).toEqual(["alias-never-born"]);
    expect(reasons(effects)).toEqual(["alias-never-born"]);
  });

  test("a duplicate alias in a birth is reported, the second metric is known by name only", () => {
    const { edge, send } = startNode();
    const birth = send(edge.birth([float(1, 0, "a"), float(1, 0, "b")], 2));
    expect(problems(birth)).toEqual(["duplicate-alias"]);
    expect(reasons(birth)).toEqual(["duplicate-alias"]);
    expect(values(send(edge.data([float(1, 5), { name: "b", datatype: DataType.Float, value: 6 }], 3)))).toEqual([
      ["a", 5],
      ["b", 6],
    ]);
  });

  test("names of Object.prototype are names like others", () => {
    const { edge, send } = startNode();
    send(edge.birth([float(1, 0, "__proto__"), float(2, 0, "constructor")], 2));
    expect(values(send(edge.data([float(1, 5), float(2, 6)], 3)))).toEqual([
      ["__proto__", 5],
      ["constructor", 6],
    ]);
    expect(problems(send(edge.data([{ name: "hasOwnProperty", datatype: DataType.Float, value: 1 }], 4)))).toEqual([]);
  });

  test("metrics without a datatype in their birth are reported, and known all the same", () => {
    const { edge, send } = startNode();
    const untyped = [
      { name: "a", alias: 7 },
      { name: "b", alias: 8, datatype: DataType.Unknown },
    ];
    for (const metric of untyped) {
      edge.connect(1);
      expect(problems(send(edge.birth([...births, metric], 2)))).toEqual(["metric-without-datatype"]);
      expect(values(send(edge.data([{ alias: metric.alias, datatype: DataType.Float, value: 5 }], 3)))).toEqual([[metric.name, 5]]);
    }
  });

  test("metrics without a name, with an unknown datatype or a value of another type are dropped and reported", () => {
    const { edge, send } = startNode();
    const birth = send(edge.birth([...births, { name: "", datatype: DataType.Float }, { name: "x", datatype: 99 }], 2));
    expect(problems(birth)).toEqual(["metric-without-name", "unsupported-datatype"]);
    const data = send(
      edge.data(
        [
          { alias: 1, datatype: DataType.String, value: "sixty" },
          { datatype: DataType.Float, value: 1 },
        ],
        3,
      ),
    );
    expect(problems(data)).toEqual(["value-outside-type", "metric-without-name"]);
    expect(values(data)).toEqual([]);
  });
});

describe("deaths", () => {
  test("only the will of the present birth counts", () => {
    const { edge, will, host, send } = startNode();
    send(edge.birth(births, 2));
    const newWill = edge.connect(3);
    send(edge.birth(births, 4));
    expect(settledAs(send(will))).toEqual(["ignored"]);
    expect(host.isOnline).toBe(true);
    expect(settledAs(send(newWill))).toEqual(["death"]);
    expect(host.isOnline).toBe(false);
    expect(settledAs(send(newWill))).toEqual(["ignored"]);
  });

  test("a death without bdSeq is ignored and reported", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2));
    const death = encodePayload({ timestamp: 5, metrics: [] });
    expect(problems(host.receive(received({ topic: "spBv1.0/n58/NDEATH/10234", payload: death }), 0))).toEqual(["death-without-bdseq"]);
    expect(host.isOnline).toBe(true);
  });

  test("the devices end with their node", () => {
    const { edge, will, send } = startNode();
    send(edge.birth(births, 2));
    send(edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 3));
    const [death] = send(will);
    expect(death).toMatchObject({ as: "death", endedDevices: ["20001"] });
  });
});

describe("devices whose death was lost", () => {
  const device = (id: string, alias: number): [string, MetricInput[]] => [id, [float(alias, 0, "Scalar/LF")]];

  test("those that a rebirth does not bring back have ended; those that it brings back, and new ones, stay", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2), 0);
    for (const [id, metrics] of [device("20001", 10), device("20002", 11)]) send(edge.deviceBirth(id, metrics, 3), 0);
    expect(host.dueAt).toBeUndefined();
    send(edge.birth(births, 4), 1_000);
    send(edge.deviceBirth(...device("20002", 11), 5), 1_100);
    send(edge.deviceBirth(...device("20003", 12), 5), 1_100);
    expect(host.dueAt).toBe(21_000);
    expect(host.expireDevices(20_999)).toEqual([]);
    expect(host.expireDevices(21_000)).toEqual(["20001"]);
    expect([host.dueAt, host.expireDevices(99_000)]).toEqual([undefined, []]);
    expect(["20001", "20002", "20003"].map((id) => host.isDeviceOnline(id))).toEqual([false, true, true]);
  });

  test("a later rebirth gives a device its time again; one that went meanwhile is not reported twice", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2), 0);
    for (const [id, metrics] of [device("20001", 10), device("20002", 11)]) send(edge.deviceBirth(id, metrics, 3), 0);
    send(edge.birth(births, 4), 1_000);
    send(edge.birth(births, 5), 9_000);
    expect(settledAs(send(edge.deviceDeath("20002", 6), 9_100))).toEqual(["device-death"]);
    expect([host.dueAt, host.expireDevices(21_000)]).toEqual([29_000, []]);
    expect(host.expireDevices(29_000)).toEqual(["20001"]);
    expect([host.loseDevice("20001"), host.loseDevice("20009")]).toEqual([false, false]);
  });

  test("a gap is given up at its own time beside them, and a node that goes takes them with it", () => {
    const { edge, host, send, will } = startNode();
    send(edge.birth(births, 2), 0);
    send(edge.deviceBirth(...device("20001", 10), 3), 0);
    send(edge.birth(births, 4), 1_000);
    edge.data([], 5); // lost
    send(edge.data([float(1, 60)], 6), 2_000);
    expect(host.dueAt).toBe(4_000);
    host.expire(4_000);
    expect(host.dueAt).toBe(21_000);
    expect(send(will, 5_000)[0]).toMatchObject({ endedDevices: ["20001"] });
    expect([host.dueAt, host.expireDevices(21_000)]).toEqual([undefined, []]);
  });
});

describe("order", () => {
  test("a gap requests exactly one rebirth, after the reorder timeout", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2));
    edge.data([], 3); // lost
    edge.data([], 4); // lost
    const behind = send(edge.data([float(1, 60)], 5), 1_000);
    expect([values(behind), verified(behind), reasons(behind)]).toEqual([[["Scalar/LF", 60]], [false], []]);
    expect(host.dueAt).toBe(3_000);
    expect(host.expire(2_999)).toEqual([]);
    expect(host.expire(3_000)).toEqual([
      { type: "missing", count: 2 },
      { type: "rebirth-needed", reason: "seq-gap" },
    ]);
    expect(host.dueAt).toBeUndefined();
    expect(reasons(send(edge.data([], 6), 3_100))).toEqual([]);
    send(edge.birth(births, 7), 3_200);
    expect(verified(send(edge.data([float(1, 61)], 8), 3_300))).toEqual([true]);
  });

  test("a gap that closes in time requests nothing", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2));
    const late = edge.data([float(1, 60)], 3);
    send(edge.data([float(1, 61)], 4), 0);
    send(late, 1_999);
    expect(host.expire(9_000)).toEqual([]);
  });

  test("data of a device that overtook its birth waits for it", () => {
    const { edge, send } = startNode();
    send(edge.birth(births, 2));
    const deviceBirth = edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 3);
    expect(send(edge.deviceData("20001", [float(10, 60)], 4))).toEqual([]);
    const effects = send(deviceBirth);
    expect(settledAs(effects)).toEqual(["device-birth", "data"]);
    expect(values(effects)).toContainEqual(["Scalar/LF", 60]);
    expect(reasons(effects)).toEqual([]);
  });

  test("a device's death that overtook its birth waits for it; one that is online ends at once", () => {
    const { edge, host, send } = startNode();
    send(edge.birth(births, 2));
    const early = edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 3);
    expect(send(edge.deviceDeath("20001", 4))).toEqual([]);
    expect(settledAs(send(early))).toEqual(["device-birth", "device-death"]);
    send(edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 5));
    edge.data([], 6); // lost
    expect(settledAs(send(edge.deviceDeath("20001", 7)))).toEqual(["device-death"]);
    expect(host.snapshot().devices).toMatchObject([{ id: "20001", isOnline: false }]);
  });

  test("data of a device without a birth requests a rebirth", () => {
    const { edge, send } = startNode();
    send(edge.birth(births, 2));
    const effects = send(edge.deviceData("20001", [float(10, 60)], 3));
    expect(reasons(effects)).toEqual(["device-without-birth"]);
    expect(problems(effects)).toContain("device-without-birth");
  });

  test("more devices than a node may have are passed by; those that are known are born again", () => {
    const edge = createEdgeSession({ group: "n58", edge: "10234" });
    edge.connect(1);
    const host = createHostSession({ maxDevices: 2 });
    const send = (message: EdgeMessage) => host.receive(received(message), 0);
    send(edge.birth(births, 2));
    const born = (device: string) => problems(send(edge.deviceBirth(device, [], 3)));
    expect(["20001", "20002", "20003", "20001"].map(born)).toEqual([[], [], ["too-many-devices"], []]);
    expect(host.snapshot().devices.map(({ id }) => id)).toEqual(["20001", "20002"]);
  });

  test("a seq that is absent or above 255 is reported and requests a rebirth", () => {
    for (const seq of [undefined, 256]) {
      const { edge, host, send } = startNode();
      send(edge.birth(births, 2));
      const message = received(edge.data([float(1, 60)], 3));
      message.payload.seq = seq;
      const effects = host.receive(message, 0);
      expect([problems(effects), reasons(effects), values(effects)]).toEqual([["bad-seq"], ["bad-seq"], [["Scalar/LF", 60]]]);
    }
  });

  test("any order of the same messages, some twice, gives the same data and the same end", () => {
    const count = 80;
    const indexes = Array.from({ length: count }, (_, index) => index);
    const order = fc.tuple(fc.shuffledSubarray(indexes, { minLength: count }), fc.array(fc.nat(count - 1), { maxLength: 20 }));
    fc.assert(
      fc.property(order, ([shuffled, again]) => {
        const { edge, host, send } = startNode();
        send(edge.birth(births, 2));
        const deviceBirth = edge.deviceBirth("20001", [float(10, 0, "Scalar/I1")], 3);
        const messages = indexes.map((index) =>
          index === 0
            ? deviceBirth
            : index % 5 === 0
              ? edge.deviceData("20001", [float(10, index)], 10 + index)
              : edge.data([float(1, index)], 10 + index),
        );
        const effects = [...shuffled, ...again].flatMap((index) => send(messages[index]!));
        const dataValues = values(effects.filter((effect) => effect.type === "settled" && effect.as === "data"));
        expect([...new Set(dataValues.map((pair) => pair.map(String).join("=")))].toSorted()).toEqual(
          indexes
            .slice(1)
            .map((index) => `${index % 5 === 0 ? "Scalar/I1" : "Scalar/LF"}=${index}`)
            .toSorted(),
        );
        expect(reasons(effects)).toEqual([]);
        expect(host.dueAt).toBeUndefined();
        expect(host.snapshot().lastSeq).toBe(count);
        expect(settledAs(effects)).toHaveLength(count + again.length);
      }),
      { numRuns: 300 },
    );
  });
});

test("a lost connection ends node and devices once; the will that comes after it is ignored", () => {
  const { edge, will, host, send } = startNode();
  send(edge.birth(births, 2));
  send(edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 3));
  expect(host.lose()).toEqual(["20001"]);
  expect(host.lose()).toBeUndefined();
  expect(settledAs(send(will))).toEqual(["ignored"]);
});

test("a snapshot goes on where it was taken", () => {
  const { edge, will, host, send } = startNode();
  send(edge.birth(births, 2));
  send(edge.deviceBirth("20001", [float(10, 0, "Scalar/LF")], 3));
  send(edge.data([float(1, 59)], 4));
  const stored = JSON.parse(JSON.stringify(host.snapshot()));
  const restored = createHostSession({}, stored);
  const data = restored.receive(received(edge.data([float(1, 60)], 5)), 0);
  expect([values(data), verified(data)]).toEqual([[["Scalar/LF", 60]], [true]]);
  expect(values(restored.receive(received(edge.deviceData("20001", [float(10, 61)], 6)), 0))).toEqual([["Scalar/LF", 61]]);
  expect(restored.receive(received(will), 0)[0]).toMatchObject({ as: "death", endedDevices: ["20001"] });
});

test("a snapshot keeps the aliases: a device that takes one of its node's is refused it after a restart too", () => {
  const { edge, host, send } = startNode();
  send(edge.birth([...births, { name: "no alias", datatype: DataType.Int32, value: 1 }], 2));
  const restored = createHostSession({}, JSON.parse(JSON.stringify(host.snapshot())));
  const effects = restored.receive(received(edge.deviceBirth("20001", [float(1, 0, "Scalar/LF"), float(11, 0, "Scalar/I1")], 3)), 0);
  expect([problems(effects), reasons(effects)]).toEqual([["duplicate-alias"], ["duplicate-alias"]]);
  const unborn = createHostSession({}, JSON.parse(JSON.stringify(createHostSession().snapshot())));
  expect([unborn.isOnline, reasons(unborn.receive(received(edge.data([], 4)), 0))]).toEqual([false, ["no-birth"]]);
});

test("what arrived while the host was away is a gap after the restart", () => {
  const { edge, host, send } = startNode();
  send(edge.birth(births, 2));
  const restored = createHostSession({}, host.snapshot());
  edge.data([], 3);
  restored.receive(received(edge.data([float(1, 60)], 4)), 0);
  expect(reasons(restored.expire(2_000))).toEqual(["seq-gap"]);
});
