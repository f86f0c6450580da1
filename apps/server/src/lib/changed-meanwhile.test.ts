import { expect, test } from "vitest";
import { changedFields, changedMeanwhile, type RecordedChange } from "./changed-meanwhile.ts";

test("the changed fields are those that the next state gives and that differ, also deep inside", () => {
  const current = { name: "Pump", size: 1, signature: [["a", "1"]], gone: "x" };
  expect(changedFields(current, { name: "Pump", size: 2, signature: [["a", "2"]], added: null, gone: undefined })).toEqual([
    "size",
    "signature",
    "added",
  ]);
});

const change = (actor: string, revision: number, before: object, after: object): RecordedChange => ({
  actor,
  before: { ...before, revision },
  after: { ...after, revision: revision + 1 },
});
const kim = change("kim", 3, { name: "a", siteName: "s" }, { name: "b", siteName: "t" });
const pat = change("pat", 4, { name: "b", zone: "x" }, { name: "c", zone: "y" });

test.each<[string, string[], RecordedChange[], number, string | undefined]>([
  ["another field", ["zone"], [kim], 3, undefined],
  [
    "a field that another set",
    ["siteName"],
    [kim, pat],
    3,
    "kim changed site name of Pump 1 meanwhile. Load it again and repeat your change",
  ],
  [
    "one that two set: the last counts",
    ["name"],
    [kim, pat],
    3,
    "pat changed name of Pump 1 meanwhile. Load it again and repeat your change",
  ],
  [
    "two of two people",
    ["siteName", "zone", "name"],
    [kim, pat],
    3,
    "pat and kim changed name, site name, zone of Pump 1 meanwhile. Load it again and repeat your change",
  ],
  ["steps that are not recorded", ["zone"], [pat], 3, "Pump 1 was changed meanwhile. Load it again and repeat your change"],
  ["nothing recorded", ["zone"], [], 3, "Pump 1 was changed meanwhile. Load it again and repeat your change"],
])("%s", (_what, fields, changes, revision, message) => {
  const refusal = changedMeanwhile("Pump 1", fields, changes, revision);
  expect([refusal?.status, refusal?.message]).toEqual(message === undefined ? [undefined, undefined] : [409, message]);
});
