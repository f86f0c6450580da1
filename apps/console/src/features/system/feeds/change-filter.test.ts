import { expect, test } from "vitest";
import { changeQueryOf, hidingOf, leftOutOf } from "./change-filter.ts";

const any = { what: "", who: "", object: "", when: "", from: "", to: "", columns: "" };
const now = new Date(2026, 2, 9, 15, 30);
const midnight = (month: number, day: number) => String(new Date(2026, month - 1, day).getTime() / 1000);

test.each([
  [{}, {}],
  [{ what: "nodes" }, { kind: "nodes" }],
  [
    { what: "PATCH_NODE", who: " kim ", object: "node/10604" },
    { action: "PATCH_NODE", actor: "kim", object: "node/10604" },
  ],
  [{ when: "today" }, { from: midnight(3, 9) }],
  [{ when: "yesterday" }, { from: midnight(3, 8), to: midnight(3, 9) }],
  [{ when: "week" }, { from: midnight(3, 3) }],
  [{ when: "month" }, { from: midnight(2, 8) }],
  [
    { when: "days", from: "2026-02-28", to: "2026-02-28" },
    { from: midnight(2, 28), to: midnight(3, 1) },
  ],
  [{ when: "days", from: "2026-02-30", to: "" }, {}],
  [{ when: "eternity", what: "everything" }, {}],
])("%j", (filter, query) => {
  expect(changeQueryOf({ ...any, ...filter }, now)).toEqual(query);
});

const aside = ["Sign-ins", "Connections of nodes", "Verdicts of nodes", "Files and events of nodes"];
test.each([
  [{}, [], aside],
  [{ who: "kim", object: "node/10604" }, ["who", "object"], aside],
  // Days that are not chosen yet hide nothing, nor does a kind that is no more.
  [{ when: "days", what: "everything" }, [], aside],
  [{ when: "days", from: "2026-02-28" }, ["when"], aside],
  [{ what: "signIns" }, ["what"], []],
  [{ what: "PATCH_NODE" }, ["what"], []],
])("%j hides by %j, and leaves out %j", (filter, hiding, leftOut) => {
  const query = changeQueryOf({ ...any, ...filter }, now);
  expect(hidingOf(query)).toEqual(hiding);
  expect(leftOutOf(query)).toEqual(leftOut);
});
