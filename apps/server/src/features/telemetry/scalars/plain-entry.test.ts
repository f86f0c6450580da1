import { metricAliases, metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { allPhases } from "@busbar/metering/phases.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { createHostSession } from "@busbar/sparkplug/host-session.ts";
import { createMetricTablePool } from "@busbar/sparkplug/metric-table.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { expect, test } from "vitest";
import { birthMetrics, scalarMetrics } from "#testing/test-ingest.ts";
import { planBatch } from "./ingest-plan.ts";
import { createLiveState } from "./live-state.ts";
import type { NodeMessage, NodeSession } from "./node-sessions.ts";
import { plainEntry } from "./plain-entry.ts";
import { bareEntry, settledEntry, type SettledEffect } from "./settled-entry.ts";

const now = Date.UTC(2026, 10, 25, 12);
const times = { nowMs: now, oldestKeptMs: now - 86_400_000 };
const tables = createMetricTablePool();

function bornNode(): { node: NodeSession; send: (metrics: MetricInput[]) => NodeMessage } {
  const edge = createEdgeSession({ group: "n01", edge: "1" });
  edge.connect(now);
  const live = createLiveState({
    serial: 1,
    timezone: null,
    scalarIntervalSeconds: 10,
    lastScalarAtMs: null,
    lastScalarData: "",
    lastScalarTimes: "",
    missingDay: null,
    missingCount: 0,
    platformMissedCount: 0,
    macAddress: null,
    ipAddress: null,
    nodeHardwareVersion: null,
    viModuleHardwareVersion: null,
    isPoeEnabled: false,
    demandAtMs: null,
    demandKwSeconds: null,
    demandCoveredSeconds: null,
    activePower: allPhases,
  });
  const session = createHostSession<NodeMessage>({ makeTable: tables.get });
  const contact = { heardAt: 0, askedAt: undefined, asked: 0, mustAnswer: false };
  const node: NodeSession = { serial: 1, live, session, devices: new Map(), hasForeignDevice: false, contact, deviceContacts: new Map() };
  const messageOf = (kind: "NBIRTH" | "NDATA", { topic, payload: bytes }: { topic: string; payload: Uint8Array }): NodeMessage => ({
    kind,
    device: undefined,
    payload: decodePayload(bytes),
    topic,
    bytes,
    heldBytes: bytes.length,
    receivedAtMs: now,
    publishedAtMs: undefined,
    hold: undefined,
    settle: () => undefined,
  });
  session.receive(messageOf("NBIRTH", edge.birth(birthMetrics(now), now)), 0);
  return { node, send: (metrics) => messageOf("NDATA", edge.data(metrics, now)) };
}

const power = (value: number, timestamp: number): MetricInput => ({
  alias: metricAliases[metricNames.power1]!,
  datatype: DataType.Float,
  value,
  timestamp,
});
/** What both ways have to agree on. */
const planOf = (entry: Parameters<typeof planBatch>[0][number]) => {
  const { live, ...plan } = planBatch([entry], []);
  return { ...plan, live: live.map(({ state: _state, ...change }) => change), settle: entry.settle };
};

test.each<[string, MetricInput[]]>([
  ["a scalar", scalarMetrics(now, 60.5)],
  ["a scalar of a minute ago with a power", [...scalarMetrics(now - 60_000, 3), power(17.25, now - 60_000)]],
  ["a part of a scalar", scalarMetrics(now, 5).slice(3, 5)],
])("%s is planned as in the general way", (_what, metrics) => {
  const [one, other] = [bornNode(), bornNode()];
  const plain = plainEntry(one.node, one.send(metrics), 0, times);
  const [effect] = other.node.session.receive(other.send(metrics), 0);
  const general = settledEntry(other.node, effect as SettledEffect, times);
  expect(plain).toMatchObject({ serial: 1, lastSeq: 1, hasClock: true, quarantine: [] });
  expect({ ...planOf(plain!), settle: undefined }).toEqual({ ...planOf(general), settle: undefined });
  expect(one.node.session.snapshot()).toEqual(other.node.session.snapshot());
});

test.each<[string, MetricInput[]]>([
  ["a scalar of history", scalarMetrics(now, 1, { isHistorical: true })],
  ["one of the future", scalarMetrics(now + 61_000, 1)],
  ["one that is too old", scalarMetrics(now - 2 * 86_400_000, 1)],
  ["one that is no number", scalarMetrics(now, Number.POSITIVE_INFINITY)],
  [
    "a version that no column holds",
    [{ alias: metricAliases[metricNames.scalarVersion]!, datatype: DataType.Int32, value: 40_000, timestamp: now }],
  ],
  ["two scalars", [...scalarMetrics(now - 10_000, 1), ...scalarMetrics(now, 2)]],
  ["powers alone", [power(1, now)]],
  ["a value that is none", scalarMetrics(now, 1, { isNull: true })],
  ["an alias that no birth has", [...scalarMetrics(now, 1), { alias: 999, datatype: DataType.Float, value: 1, timestamp: now }]],
])("%s is left to the general way, and nothing of it is taken", (_what, metrics) => {
  const { node, send } = bornNode();
  const message = send(metrics);
  expect(plainEntry(node, message, 0, times)).toBeUndefined();
  expect(node.session.snapshot().lastSeq).toBe(0);
  expect([message.publishedAtMs, node.live.skew.medianMs]).toEqual([undefined, undefined]);
});

test("a message that is not the next, or of a node that is not born, is left to the session's rules", () => {
  const { node, send } = bornNode();
  const [first, second] = [send(scalarMetrics(now, 1)), send(scalarMetrics(now + 1, 2))];
  expect(plainEntry(node, second, 0, times)).toBeUndefined();
  node.session.receive(second, 0);
  // The gap is open.
  expect(plainEntry(node, first, 0, times)).toBeUndefined();
  node.session.receive(first, 0);
  const third = send(scalarMetrics(now + 2, 3));
  node.session.lose();
  expect(plainEntry(node, third, 0, times)).toBeUndefined();
});

test("an entry that changes nothing yet holds of its message what quarantine and acknowledgement need", () => {
  const message = {
    topic: "t",
    bytes: Uint8Array.of(1),
    receivedAtMs: now,
    hold: { name: "n01", epoch: 3, isLost: false },
    settle: () => {},
  };
  const { topic, bytes, receivedAtMs, hold, settle } = message;
  expect(bareEntry(message, 7, ["bad-seq"])).toEqual({
    topic,
    bytes,
    serial: 7,
    receivedAtMs,
    hold,
    subject: undefined,
    lastSeq: undefined,
    hasClock: false,
    telemetry: undefined,
    plain: undefined,
    report: undefined,
    connection: undefined,
    activities: [],
    quarantine: ["bad-seq"],
    settle,
  });
});

test("A-63 only data of the node itself is taken so: those of a device of it, with the same aliases, are the device's", () => {
  const { node, send } = bornNode();
  const message = send(scalarMetrics(now, 50));
  for (const kind of ["DDATA", "NBIRTH", "DBIRTH"] as const) expect(plainEntry(node, { ...message, kind }, 0, times)).toBeUndefined();
  expect(plainEntry(node, message, 0, times)).toMatchObject({ serial: 1, lastSeq: 1 });
});
