import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import { BulkOrder, bulkLocationFields, bulkNodeFields } from "@busbar/contract/directory/bulk-changes.ts";
import { expect, test } from "vitest";
import { facilityFields, locationFields, nodeFields, orderOf, readField, type BulkField } from "./bulk-fields.ts";
import { changesText, pageOf, planWords } from "./bulk-words.ts";

const facility = { customerId: 1, customerCode: "alder", customerName: "Alder", facilityId: 7, facilityName: "North Works" };
const fieldsOf = { nodes: nodeFields, locations: locationFields(defaultFaultLibraryFlags), subscriptions: facilityFields([facility]) };
const find = (fields: readonly BulkField[], name: string): BulkField => fields.find((field) => field.name === name)!;

test("every field that many can have the same of is on the form", () => {
  expect(nodeFields.map(({ name }) => name).toSorted()).toEqual(Object.keys(bulkNodeFields).toSorted());
  const roots = new Set(fieldsOf.locations.map(({ name }) => name.split(".")[0]));
  expect(roots).toEqual(new Set(Object.keys(bulkLocationFields)));
});

test("a field of a node is among those of its kind, and is read by its rule", () => {
  const inGroup = (wanted: string) => nodeFields.filter(({ group }) => group === wanted).map(({ name }) => name);
  expect([...new Set(nodeFields.map(({ group }) => group))]).toEqual(["Node", "Thresholds", "Flags", "Pause of notifications"]);
  expect(inGroup("Pause of notifications")).toEqual(["pauseConnectivityNotificationsReason", "pauseConnectivityNotificationsUrl"]);
  for (const field of nodeFields) {
    const text = field.choices?.[0]?.value ?? (field.schema._zod.def.type === "number" ? "61" : "https://tickets.example/7");
    expect([field.name, readField(field, text)]).toEqual([field.name, { value: expect.anything() }]);
  }
});

test.each([
  ["nodes", ["10101"], { dataPointInterval: "60", disableMonitoring: "no", deploymentTaskType: "none", container: "Rack 2" }],
  ["locations", ["3", "4"], { timezone: "America/Denver", "faultLibraryAlertFlags.voltageThd": "yes" }],
  ["subscriptions", ["5"], { 7: "none" }],
] as const)("what is entered of %s is what the server is asked for", (kind, chosen, entered) => {
  const values = Object.entries(entered).map(([name, text]) => {
    const read = readField(find(fieldsOf[kind], name), text);
    return [name, "value" in read ? read.value : read.problem] as const;
  });
  const expected = {
    nodes: {
      serialNumbers: ["10101"],
      values: { dataPointInterval: 60, disableMonitoring: false, deploymentTaskType: null, container: "Rack 2" },
    },
    locations: { locationIds: [3, 4], values: { timezone: "America/Denver", faultLibraryAlertFlags: { voltageThd: true } } },
    subscriptions: { userIds: [5], facilities: [{ facilityId: 7, frequency: null }] },
  };
  expect(BulkOrder.parse(orderOf(kind, chosen, values))).toEqual({ [kind]: expected[kind] });
});

test.each([
  ["dataPointInterval", "1,000", /has a comma/],
  ["voltageThdThreshold", "", /is required/],
  ["container", " ", "Container is required"],
  ["disableMonitoring", "", "Choose one"],
  ["pauseConnectivityNotificationsUrl", "x", /begins with http/],
])("%s is not %j", (name, text, problem) => {
  expect(readField(find(nodeFields, name), text)).toEqual({ problem: expect.stringMatching(problem) });
});

test("what a change makes of a value is said in words, times by the clocks of the place", () => {
  const text = (field: string, before: string | number | boolean | null, after: string | number | boolean | null) =>
    changesText({ changes: [{ field, label: "It", before, after }], timezone: "America/Denver" });
  expect(text("faultLibraryAlertFlags.belt", null, true)).toBe("It: (as by default) → yes");
  expect(text("container", null, "")).toBe("It: (none) → (none)");
  expect(text("poeEnabled", true, false)).toBe("It: yes → no");
  expect(text("voltageThdThreshold", 0, 5)).toBe("It: 0 → 5");
  expect(text("equipmentStartTimestamp", null, 1_790_000_000)).toBe("It: (none) → 2026-09-21 08:13:20 MDT");
});

test("a plan says how many it changes and leaves out, and where each is edited alone", () => {
  const row = (reason: string) => ({ reason }) as Parameters<typeof planWords>[1][number];
  expect(planWords("nodes", [row(""), row("")])).toBe("2 nodes would be changed");
  expect(planWords("locations", [row(""), row("gone")])).toBe("1 location would be changed, 1 left out");
  expect(planWords("subscriptions", [row("gone")])).toBe("Nothing would be changed, 1 left out");
  expect([pageOf("user/7", "lee"), pageOf("location/3", "Pump & 2")]).toEqual(["#/users/7", "#/customers?filterText=Pump%20%26%202"]);
});
