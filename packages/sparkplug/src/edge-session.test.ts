import { expect, test } from "vitest";
import { DataType } from "./datatypes.ts";
import { decodePayload } from "./decode.ts";
import { createEdgeSession } from "./edge-session.ts";
import { readBdSeq } from "./metric-table.ts";

const options = { group: "n58", edge: "10234" };
const bdSeqOf = (message: { payload: Uint8Array }) => readBdSeq(decodePayload(message.payload).metrics);
const seqOf = (message: { payload: Uint8Array }) => decodePayload(message.payload).seq;

test("the will carries the bdSeq of the births that follow, without a seq, QoS 1, not retained", () => {
  const session = createEdgeSession(options);
  const will = session.connect(1_000);
  expect(will).toMatchObject({ topic: "spBv1.0/n58/NDEATH/10234", qos: 1, retain: false });
  expect(seqOf(will)).toBeUndefined();
  expect(bdSeqOf(will)).toBe(0);
  expect(bdSeqOf(session.birth([], 1_001))).toBe(0);
  expect(bdSeqOf(session.death(1_002))).toBe(0);
});

test("bdSeq grows by one per connection, 255 is followed by 0; a rebirth keeps it", () => {
  const session = createEdgeSession({ ...options, lastBdSeq: 254 });
  const seen = [session.connect(1), session.birth([], 2), session.birth([], 3), session.connect(4), session.birth([], 5)].map(bdSeqOf);
  expect(seen).toEqual([255, 255, 255, 0, 0]);
  expect(session.bdSeq).toBe(0);
});

test("seq begins at 0 with each birth, is shared with devices, 255 is followed by 0", () => {
  const session = createEdgeSession(options);
  session.connect(1);
  const first = [session.birth([], 1), session.data([], 2), session.deviceBirth("20001", [], 3), session.deviceData("20001", [], 4)];
  expect([...first, session.deviceDeath("20001", 5)].map(seqOf)).toEqual([0, 1, 2, 3, 4]);
  for (let seq = 5; seq <= 255; seq++) expect(session.nextSeq()).toBe(seq);
  expect(seqOf(session.data([], 6))).toBe(0);
  session.nextSeq();
  expect(seqOf(session.birth([], 7))).toBe(0);
});

test("births contain datatypes and the rebirth metric, data leaves the datatypes out", () => {
  const session = createEdgeSession(options);
  session.connect(1);
  const metrics = [{ name: "a", alias: 1, datatype: DataType.Float, value: 1, timestamp: 9 }];
  const birth = decodePayload(session.birth(metrics, 10).payload).metrics;
  expect(birth.map(({ name, datatype }) => [name, datatype])).toEqual([
    ["bdSeq", DataType.Int64],
    ["Node Control/Rebirth", DataType.Boolean],
    ["a", DataType.Float],
  ]);
  expect(decodePayload(session.data(metrics, 11).payload).metrics[0]!.datatype).toBeUndefined();
});
