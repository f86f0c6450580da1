import { expect, test } from "vitest";
import { incidentGravity, incidentTitle } from "./incident-words.ts";

const node = { alarmKind: "", serialNumber: "10604", facilityName: "North Works" };

test.each([
  [{ ...node, kind: "outage" as const, serialNumber: null }, "Outage of North Works"],
  [{ ...node, kind: "outage" as const, facilityName: "" }, "Outage of a facility that is gone"],
  [{ ...node, kind: "link" as const }, "Lost connection of node 10604"],
  [{ ...node, kind: "silent" as const, serialNumber: null }, "Silence of North Works"],
  [{ ...node, kind: "sensor" as const }, "Sensor fault at node 10604"],
  [{ ...node, kind: "alarm" as const, alarmKind: "overVoltage" }, "Over-voltage at node 10604"],
  [{ ...node, kind: "alarm" as const, alarmKind: "newer" }, "newer at node 10604"],
])("an incident is titled by what happened where: %o is %s", (incident, title) => {
  expect(incidentTitle(incident)).toBe(title);
});

test("only what no one knows of and what still lasts asks for action", () => {
  const open = { endedTimestamp: null, calmTimestamp: null, acknowledgedTimestamp: null, isMuted: false };
  expect(incidentGravity(open)).toBe("act");
  expect(incidentGravity({ ...open, calmTimestamp: 1 })).toBe("look");
  expect(incidentGravity({ ...open, acknowledgedTimestamp: 1 })).toBe("look");
  expect(incidentGravity({ ...open, isMuted: true })).toBe("note");
  expect(incidentGravity({ ...open, isMuted: true, endedTimestamp: 1 })).toBe("fine");
});
