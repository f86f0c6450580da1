import { alarmKinds, type AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import { expect, test } from "vitest";
import { summarize } from "./summary.ts";
import { createTally, exclude } from "./tally.ts";

const perfect = () => new Map(alarmKinds.map((kind) => [kind, { ...createTally(), detected: 10, right: 10 }]));

test("A-25 the table has a line for every kind and a kind without a case fails the run", () => {
  expect(summarize(perfect()).failures).toEqual([]);
  for (const kind of alarmKinds) {
    for (const without of ["absent", "empty"]) {
      const tallies = perfect();
      if (without === "absent") tallies.delete(kind);
      // What is raised without a case is no case.
      else tallies.set(kind, { ...createTally(), right: 3 });
      const { tables, failures } = summarize(tallies);
      expect(tables[0]!.rows.map(([name]) => name)).toEqual([...alarmKinds]);
      expect(tables[0]!.rows.find(([name]) => name === kind)?.[1]).toBe("no case");
      expect(failures).toEqual([`${kind}: no case occurred, so that nothing is known of it`]);
    }
  }
});

test.each(alarmKinds)("A-25 the headline is the worst kind, by recall or by precision: %s", (kind: AlarmKind) => {
  const byRecall = perfect().set(kind, { ...createTally(), detected: 7, missed: 3, right: 10 });
  expect(summarize(byRecall).notes[0]).toBe(`Worst kind: ${kind}, recall 70.0 %, precision 100.0 %.`);
  const byPrecision = perfect().set(kind, { ...createTally(), detected: 10, right: 6, wrong: 4 });
  expect(summarize(byPrecision).notes[0]).toBe(`Worst kind: ${kind}, recall 100.0 %, precision 60.0 %.`);
});

test("A-25 what is left out is printed with its count and reason", () => {
  const tallies = perfect();
  for (let times = 0; times < 3; times++) exclude(tallies.get("voltageSag")!, "drowns in noise");
  exclude(tallies.get("voltageThd")!, "not measured");
  expect(summarize(tallies).tables[1]!.rows).toEqual([
    ["voltageThd", "1", "not measured"],
    ["voltageSag", "3", "drowns in noise"],
  ]);
});
