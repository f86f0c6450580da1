import { expect, test } from "vitest";
import { firstLineAt, isNodeAt, nextLineAt, partAt, readChanges, serialAt } from "./fleet-answer.ts";
import { answer, fullFleet, node, textOf } from "./fleet.fixture.ts";

/** What is read of it by and by, all at once. */
function readWhole(text: string) {
  const data = readChanges(text)?.data;
  if (!data) return undefined;
  const { text: lines, ...facts } = data;
  const dashboardNodeMap: Record<string, unknown> = {};
  for (let at = firstLineAt; isNodeAt(lines, at); at = nextLineAt(lines, at)) dashboardNodeMap[serialAt(lines, at)] = partAt(lines, at);
  return { ...facts, dashboardNodeMap };
}

const changes = [
  answer({}),
  answer({ "10001": { eventCount: 4 } }, { removed: ["10005", "10006"], isStale: true }),
  answer({ "10001": node(10001, { locationName: 'a "b"},\n"c":{' }), "10002": { eventCount: 5 }, "10003": { lastScalarData: "1,2" } }),
];

test.each(changes)("an answer's lines say what the whole text says: %#", (change) => {
  expect(readWhole(textOf(change))).toEqual(change);
});

test("the whole map, and what another server or a proxy makes of an answer, is read the usual way", () => {
  expect(readChanges(textOf(fullFleet(node(10001))))).toBeUndefined();
  expect(readChanges(JSON.stringify({ data: answer({ "10001": { eventCount: 4 } }) }))).toBeUndefined();
  expect(readChanges(JSON.stringify({ data: answer({ "10001": { eventCount: 4 } }) }, null, 2))).toBeUndefined();
  expect(readChanges("")).toBeUndefined();
  expect(readChanges('{"data":{"dashboardNodeMap":{\n"10001":{}\n')).toBeUndefined();
});
