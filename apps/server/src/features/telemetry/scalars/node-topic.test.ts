import { groupOf } from "@busbar/sparkplug/topic.ts";
import { expect, test } from "vitest";
import { createNodeTopicReader } from "./node-topic.ts";

const group = groupOf("10234");
test.each([
  [`spBv1.0/${group}/NDATA/10234`, { kind: "NDATA", serial: 10_234, device: undefined }],
  [`spBv1.0/${group}/DDATA/10234/relay_1-A`, { kind: "DDATA", serial: 10_234, device: "relay_1-A" }],
  [`spBv1.0/${group}/DDATA/10234/${"d".repeat(64)}`, { kind: "DDATA", serial: 10_234, device: "d".repeat(64) }],
  [`spBv1.0/${group}/NCMD/10234`, { kind: "own" }],
  [`spBv1.0/${group}/DCMD/10234/relay`, { kind: "own" }],
  ["spBv1.0/STATE/busbar", { kind: "own" }],
  [`spBv2.0/${group}/NDATA/10234`, { kind: "refused", reason: "not-sparkplug" }],
  [`spBv1.0/${groupOf("1234")}/NDATA/1234`, { kind: "refused", reason: "unknown-node" }],
  [`spBv1.0/${groupOf("110234")}/NDATA/110234`, { kind: "refused", reason: "unknown-node" }],
  [`spBv1.0/${group}/NDATA/1e234`, { kind: "refused", reason: "unknown-node" }],
  [`spBv1.0/${groupOf("10235")}/NDATA/10234`, { kind: "refused", reason: "wrong-group" }],
  [`spBv1.0/${group}/DDATA/10234/two words`, { kind: "refused", reason: "bad-device-id" }],
  [`spBv1.0/${group}/DDATA/10234/${"d".repeat(65)}`, { kind: "refused", reason: "bad-device-id" }],
])("A-63 the topic %s is read, also again", (topic, read) => {
  const reader = createNodeTopicReader();
  expect([reader(topic), reader(topic)]).toEqual([read, read]);
});
