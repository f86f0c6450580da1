import { expect, test } from "vitest";
import type { NodePlace } from "./fleet-notices.store.ts";
import { internalNotices } from "./notice-words.ts";

/** A node at each of so many facilities, or all of them at one. */
const nodes = (count: number, isOneFacility = false): NodePlace[] =>
  Array.from({ length: count }, (_, index) => ({
    serialNumber: 10_001 + index,
    facilityId: isOneFacility ? 1 : index,
    facilityName: isOneFacility ? "North Works" : `Works ${index}`,
    customerName: "Alder",
    locationName: `Pump ${index}`,
    timezone: "UTC",
  }));
const words = { ofOne: () => "of one", ofMany: (many: string) => `Of ${many}:`, each: () => "is off" };
const subjects = (list: readonly NodePlace[]) => internalNotices(list, words).map(({ subject }) => subject);
const lines = (list: readonly NodePlace[]) => internalNotices(list, words)[0]?.body.trimEnd().split("\n") ?? [];

test("A-63 ten facilities are a message each, eleven are one", () => {
  expect(subjects(nodes(10))).toHaveLength(10);
  expect(subjects(nodes(11))).toEqual(["11 nodes, 11 facilities"]);
  expect(lines(nodes(11)).slice(0, 3)).toEqual(["Of 11 nodes at 11 facilities:", "", "Works 0, Alder: 1 node"]);
  expect(subjects([])).toEqual([]);
});

test("A-63 fifty nodes are listed, and of more how many there are", () => {
  expect([lines(nodes(50, true)).length, lines(nodes(50, true)).at(-1)]).toEqual([52, "10050  Pump 49  is off"]);
  expect([lines(nodes(51, true)).length, lines(nodes(51, true)).at(-1)]).toEqual([53, "and 1 more"]);
  expect(subjects(nodes(51, true))).toEqual(["51 nodes, North Works"]);
  expect(internalNotices(nodes(1, true), words)).toEqual([{ subject: "Pump 0, North Works (10001)", body: "of one" }]);
});
