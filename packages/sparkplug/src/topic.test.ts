import { expect, test } from "vitest";
import { deviceTopic, groupOf, nodeTopic, parseTopic, stateTopic } from "./topic.ts";

test("builders and parser agree", () => {
  expect(parseTopic(nodeTopic("NDATA", "n58", "10234"))).toEqual({ kind: "NDATA", group: "n58", edge: "10234", device: undefined });
  expect(parseTopic(deviceTopic("DDATA", "n58", "10234", "20001"))).toEqual({
    kind: "DDATA",
    group: "n58",
    edge: "10234",
    device: "20001",
  });
  expect(parseTopic(stateTopic("pq-ingest"))).toEqual({ kind: "STATE", hostId: "pq-ingest" });
});

test.each([
  "",
  "spBv1.0",
  "spBv1.0/n58/NDATA",
  "spBv1.0/n58/NDATA/10234/x",
  "spBv1.0/n58/DDATA/10234",
  "spBv1.0/n58/DDATA/10234/x/y",
  "spBv1.0/n58/ndata/10234",
  "spBv1.0/n58//10234",
  "spBv1.0//NDATA/10234",
  "spBv1.0/STATE",
  "spBv1.0/STATE/a/b",
  "spAv1.0/n58/NDATA/10234",
  "spBv1.0/n58/constructor/10234",
])("%j is no Sparkplug topic", (topic) => {
  expect(parseTopic(topic)).toBeUndefined();
});

test("the group is the serial number modulo 64 in two digits", () => {
  expect([10_234, "10240", 64, 99_999].map((serial) => groupOf(serial))).toEqual(["n58", "n00", "n00", "n31"]);
});
