import * as fc from "fast-check";
import { expect, test } from "vitest";
import { maySubscribe, refusePublish, refuseWill } from "./topic-acl.ts";

const own = { topic: "spBv1.0/n58/NDATA/10234", qos: 1, retain: false };

test("a node publishes births, data and deaths of itself and its devices", () => {
  for (const kind of ["NBIRTH", "NDATA", "NDEATH"])
    expect(refusePublish("10234", { ...own, topic: `spBv1.0/n58/${kind}/10234` })).toBeUndefined();
  for (const kind of ["DBIRTH", "DDATA", "DDEATH"])
    expect(refusePublish("10234", { ...own, topic: `spBv1.0/n58/${kind}/10234/20001` })).toBeUndefined();
});

test("its will is its death and nothing else", () => {
  expect(refuseWill("10234", { ...own, topic: "spBv1.0/n58/NDEATH/10234" })).toBeUndefined();
  expect(refuseWill("10234", own)).toBe("topic");
  expect(refuseWill("10234", { ...own, topic: "spBv1.0/n58/DDEATH/10234/x" })).toBe("topic");
});

test("no topic of another serial is ever allowed", () => {
  const level = fc.oneof(
    fc.constantFrom("spBv1.0", "n58", "NDATA", "DDATA", "NDEATH", "10235", "20001", "#", "+", "__proto__", ""),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(level, { minLength: 1, maxLength: 7 }), (levels) => {
      expect(refusePublish("10234", { ...own, topic: levels.join("/") })).not.toBeUndefined();
      expect(maySubscribe("10234", levels.filter((one) => one !== "10234").join("/"))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "spBv1.0/n58/NCMD/10234",
  "spBv1.0/n58/NCMD/10234/#",
  "spBv1.0/n58/DCMD/10234/+",
  "spBv1.0/n58/DCMD/10234/20001",
  "spBv1.0/STATE/pq-ingest",
  "spBv1.0/STATE/+",
])("a node may subscribe %s", (filter) => expect(maySubscribe("10234", filter)).toBe(true));

test.each([
  "#",
  "+/n58/NCMD/10234",
  "spBv1.0/#",
  "spBv1.0/+/NCMD/10234",
  "spBv1.0/n59/NCMD/10234",
  "spBv1.0/n58/+/10234",
  "spBv1.0/n58/NDATA/10234",
  "spBv1.0/n58/DDATA/10234/20001",
  "spBv1.0/n58/NCMD/102341",
  "spBv1.0/n58/DCMD/102341/20001",
  "spBv1.0/n58/DCMD/10234",
  "spBv1.0/STATE/other",
  "$SYS/#",
])("a node may not subscribe %s", (filter) => expect(maySubscribe("10234", filter)).toBe(false));

test.each([
  [{ retain: true }, "retained"],
  [{ qos: 2 }, "qos-2"],
  [{ messageId: 0 }, "no-id"],
  [{ topic: "spBv1.0/n58/NCMD/10234" }, "topic"],
  [{ topic: "spBv1.0/n58/DCMD/10234/20001" }, "topic"],
  [{ topic: "spBv1.0/STATE/pq-ingest" }, "topic"],
  [{ topic: "spBv1.0/n58/DDATA/10234/a b" }, "topic"],
  [{ topic: "spBv1.0/n59/NDATA/10234" }, "other-node"],
  [{ topic: "spBv1.0/n58/NDATA/102341" }, "other-node"],
])("a publication with %j is refused as %s", (change, reason) => expect(refusePublish("10234", { ...own, ...change })).toBe(reason));

test.each([
  [{ topic: "spBv1.0/n58/NDEATH/10234" }, undefined],
  [{ topic: "spBv1.0/n58/NDEATH/10234", retain: true }, "retained"],
  [{ topic: "spBv1.0/n58/NDEATH/102341" }, "other-node"],
  [{ topic: "spBv1.0/n58/NDATA/10234" }, "topic"],
])("a will with %j is refused as %s", (change, reason) => expect(refuseWill("10234", { qos: 1, retain: false, ...change })).toBe(reason));
