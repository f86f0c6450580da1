import { expect, test } from "vitest";
import * as z from "zod/v4/core";
import { FaultLibraryFlag } from "./alarms/fault-library.ts";
import { NewIncidentNote } from "./alarms/incidents.ts";
import { LoginBody } from "./access/session.ts";
import { isRequiredPlaceField } from "./directory/facilities.ts";
import { hasSecondaryNode, isDeployedOncePlaced, isRelayLocation, locationProblems, type LocationForm } from "./directory/locations.ts";
import { isSwapCopied } from "./directory/node-swaps.ts";
import { harmonicKey, sensorDataGroup } from "./files/data-point-keys.ts";
import { readPicture } from "./files/event-picture.ts";
import { eventNameOf, parseEventName } from "./files/recorded-events.ts";
import { BillForm } from "./office/billing.ts";
import { actionsOf, allActions, changeKindNames, roleForValues } from "./system/changes.ts";
import { foundKinds, wordsOfFound } from "./system/find.ts";
import { canRunNow } from "./system/system-services.ts";
import { DashboardNode, liveDashboardFields, NodeDashboard } from "./telemetry/node-dashboard.ts";
import { configRule } from "./telemetry/node-config.ts";
import { quantities, quantityOf } from "./telemetry/quantities.ts";
import { readSeriesText, seriesText } from "./telemetry/trends.ts";
import { isCalendarDate } from "./values/calendar-date.ts";
import { consoleLink } from "./values/console-links.ts";
import { formatLocalTime } from "./values/format-local-time.ts";
import { readPlainNumber } from "./values/plain-number.ts";
import { SerialNumber } from "./values/serial-number.ts";
import { equipmentTypes, isRelayNodeType, nodeTypes } from "./values/option-lists.ts";

test("CUS-12 of the types of nodes SEL and GERelay are relays, which want the nameplate of their location", () => {
  expect(nodeTypes.filter(isRelayNodeType)).toEqual(["SEL", "GERelay"]);
  const types: Record<string, string> = { "10101": "Node", "10102": "SEL" };
  const at = (nodeSerialNumber: string | null, secondaryNodeSerialNumber: string | null) =>
    isRelayLocation({ nodeSerialNumber, secondaryNodeSerialNumber }, (serial) => types[serial]);
  expect([at("10101", null), at("10102", null), at("10101", "10102"), at(null, null), at("10103", null)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

const motor = {
  equipmentType: "InductionMotor",
  nodeSerialNumber: "10101",
  secondaryNodeSerialNumber: null,
  billingStartDate: null,
  billingEndDate: null,
  npHorsePower: null,
  npVoltage: null,
  npCurrent: null,
} as unknown as LocationForm;
const dc = { equipmentType: "DCMotor", secondaryNodeSerialNumber: "10102" };

test.each<[string, object, string[]]>([
  ["is right", {}, []],
  ["has a secondary node that its kind has not", { secondaryNodeSerialNumber: "10102" }, ["secondaryNodeSerialNumber"]],
  ["is of a kind with a secondary node", dc, []],
  ["lacks it", { ...dc, secondaryNodeSerialNumber: null }, ["secondaryNodeSerialNumber"]],
  ["has it alone", { ...dc, nodeSerialNumber: null }, ["nodeSerialNumber"]],
  ["has one node twice", { ...dc, nodeSerialNumber: "10102" }, ["secondaryNodeSerialNumber"]],
  ["is billed for a day", { billingStartDate: "2026-02-02", billingEndDate: "2026-02-02" }, []],
  ["ends before it begins", { billingStartDate: "2026-02-02", billingEndDate: "2026-02-01" }, ["billingEndDate"]],
  ["ends and never began", { billingEndDate: "2026-02-01" }, []],
])("CUS-11 a location that %s", (_, change, fields) => {
  const location = { ...motor, ...change };
  const problems = locationProblems(location, () => "Node");
  expect(problems.map(({ field }) => field)).toEqual(fields);
  // Who changes something else is not asked for it.
  expect(locationProblems(location, () => "Node", ["name"])).toEqual([]);
  // Either of two fields may break the rule of both.
  for (const changed of [
    ["equipmentType", "billingEndDate"],
    ["nodeSerialNumber", "billingStartDate"],
    ["secondaryNodeSerialNumber", "billingStartDate"],
  ])
    expect(locationProblems(location, () => "Node", changed)).toEqual(problems);
});

test("what a relay's location lacks of its nameplate is said field by field, when that or the node is changed", () => {
  const asked = (changed?: string[]) => locationProblems(motor, () => "SEL", changed).map(({ field }) => field);
  expect(asked().length).toBeGreaterThan(1);
  expect(asked().every((field) => field.startsWith("np"))).toBe(true);
  expect([asked(["npCurrent"]), asked(["nodeSerialNumber"])]).toEqual([asked(), asked()]);
  expect(asked(["timezone"])).toEqual([]);
});

test("which kinds of equipment, of places and of states are meant", () => {
  expect(equipmentTypes.filter(hasSecondaryNode).toSorted()).toEqual(["DCMotor", "SynchronousMotor"]);
  expect(["division", "facilityLocation", "name", "constructor"].filter(isRequiredPlaceField)).toEqual(["division", "facilityLocation"]);
  const states = ["Deployed", "Unassigned", "Pre-Deployment"];
  const deployed = states.flatMap((current) =>
    states.flatMap((next) =>
      isDeployedOncePlaced({ currentDeploymentStatus: current, newDeploymentStatus: next }) ? [`${current}, ${next}`] : [],
    ),
  );
  expect(deployed).toEqual(["Deployed, Deployed", "Deployed, Unassigned", "Unassigned, Deployed", "Pre-Deployment, Deployed"]);
  const values = (...all: ("confirmed" | "left" | "sent")[]) => ({ values: all.map((state) => ({ state })) });
  expect([values(), values("confirmed", "left"), values("confirmed", "sent")].map(isSwapCopied)).toEqual([true, true, false]);
  const service = (isScheduledService: boolean, interval: number) =>
    canRunNow({ isScheduledService, interval } as Parameters<typeof canRunNow>[0]);
  expect([service(true, 6), service(true, 5), service(false, 60)]).toEqual([true, false, false]);
});

test("SEN-03 the keys of a data point are in groups by how they begin", () => {
  expect(["npVoltage", "fieldVoltageAvg", harmonicKey("V1", 7), "voltageAvg", "NpVoltage", "fw"].map(sensorDataGroup)).toEqual([
    "nameplate",
    "field",
    "harmonic",
    "plain",
    "plain",
    "plain",
  ]);
  expect(harmonicKey("V1", 7)).toBe("harmonicV1_007");
});

test("a drawing of an event has six rows of the same length, with gaps where there is no value", () => {
  const bytes = Int8Array.from([127, 127, -127, 0, ...Array<number>(17).fill(0), -128, -128]);
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
  const picture = readPicture(base64);
  // Two columns want 24 bytes: of 23 there is one.
  expect(picture.map((row) => row.length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(picture[0]).toEqual([{ low: 1, high: 1 }]);
  expect(picture[1]).toEqual([{ low: -1, high: 0 }]);
  const two = readPicture(btoa(String.fromCharCode(...Array<number>(22).fill(0), 128, 128)));
  expect([two[5], two[0]]).toEqual([
    [{ low: 0, high: 0 }, null],
    [
      { low: 0, high: 0 },
      { low: 0, high: 0 },
    ],
  ]);
});

test("an event is named like its files, without their ends", () => {
  const name = "10234_20260106T143000Z_E0001";
  expect([eventNameOf(`${name}.cev`), eventNameOf(`${name}_2.txt`)]).toEqual([name, name]);
  expect(parseEventName(name)).toEqual({ serial: 10_234, timestamp: Date.UTC(2026, 0, 6, 14, 30) / 1000, number: 1 });
  expect([parseEventName("10234_20260106T143000Z_D0900"), parseEventName("x")]).toEqual([undefined, undefined]);
});

test("what is listed of changes unasked, and whose values only some may see", () => {
  const unasked = actionsOf(undefined);
  expect([unasked.includes("PATCH_SYSTEM_CONFIG"), unasked.includes("LOGIN"), unasked.includes("NODE_BIRTH")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(actionsOf("verdicts")).toEqual(["NODE_VERDICT_CHANGED"]);
  expect(changeKindNames.flatMap((kind) => actionsOf(kind))).toEqual(allActions);
  expect(["PATCH_SYSTEM_CONFIG", "LOGIN", "nothing"].map(roleForValues)).toEqual(["systemAdministrator", undefined, undefined]);
});

test("what was found is called by its name, and known from others by what is around it", () => {
  const found = {
    id: "7",
    serialNumber: "10101",
    formerSerialNumber: "10100",
    locationName: "Fan",
    facilityName: "Mill",
    customerName: "Cedar",
    customerCode: "CDR",
    username: "robin",
    firstName: "Robin",
    lastName: "Testerly",
  };
  const words = foundKinds.map((kind) => Object.values(wordsOfFound({ kind, ...found })).join(": "));
  expect(words).toEqual([
    "10101: Fan, Mill, Cedar",
    "Fan: Mill, Cedar, node 10101, earlier node 10100",
    "Mill: Cedar",
    "Cedar: CDR",
    "robin: Robin Testerly, Cedar",
    "7: ",
    "7: ",
    "7: ",
  ]);
  const bare = { ...found, serialNumber: "", formerSerialNumber: "", facilityName: "", firstName: "" };
  expect([wordsOfFound({ kind: "location", ...bare }).detail, wordsOfFound({ kind: "user", ...bare }).detail]).toEqual([
    "Cedar",
    "Testerly, Cedar",
  ]);
});

test("addresses, series, quantities, days and times are written one way", () => {
  expect(consoleLink("https://busbar.example", "billing")).toBe("https://busbar.example/admin/#/accounts/billing");
  const series = [
    { serialNumber: "10001", quantity: "current" },
    { serialNumber: "10002", quantity: "powerKw" },
  ];
  expect(seriesText(series)).toBe("10001:current,10002:powerKw");
  expect([readSeriesText(seriesText(series)), readSeriesText("10001")]).toEqual([series, [{ serialNumber: "10001", quantity: "" }]]);
  expect(quantities.every((quantity) => quantityOf(quantity.id) === quantity)).toBe(true);
  expect(quantityOf("none")).toBeUndefined();
  expect(
    ["2026-02-28", "2026-02-29", "2028-02-29", "2009-12-31", "2010-01-01", "2059-12-31", "2060-01-01", "2026-2-1"].filter(isCalendarDate),
  ).toEqual(["2026-02-28", "2028-02-29", "2010-01-01", "2059-12-31"]);
  // Twice: the second time what was made the first time is used.
  for (const time of ["2026-11-21 01:00:12 CST", "2026-11-21 01:00:12 CST"])
    expect(formatLocalTime(1_795_244_412, "America/Chicago")).toBe(time);
  expect(configRule("np_poles")?.allowed).not.toBe(configRule("np_hp")?.allowed);
  expect([configRule("of_a_node")?.allowed, configRule("of_a_node", "Int32")?.allowed !== undefined]).toEqual([undefined, true]);
});

test("REP-01 a bill's last day is after the day until which was paid", () => {
  const form = { organizationId: "7", voltaEnergy: false, invoiceNumber: "", terms: "", vendorId: "", purchaseOrder: "" };
  const wrong = (billDate: string, paidThruDate: string) =>
    BillForm.safeParse({ ...form, billDate, paidThruDate }).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  expect([wrong("2026-02-02", "2026-02-01"), wrong("2026-02-01", "2026-02-01")]).toEqual([[], ["billDate: Bill To is after Paid Thru"]]);
});

test("an answer of the dashboard holds whole nodes, and only a change may hold what telemetry moves alone", () => {
  const answer = { serverStartUpTime: 1, requestsServed: 1, revision: "1", removed: [], asOf: 1, isStale: false };
  const sent = (node: object, isFull: boolean) =>
    NodeDashboard.safeParse({ ...answer, isFull, dashboardNodeMap: { "10101": node } }).success;
  const whole = Object.fromEntries(
    Object.entries(DashboardNode.shape).map(([name, field]) => [
      name,
      [null, 1, "", false, [], "UTC"].find((value) => field.safeParse(value).success),
    ]),
  );
  const moved = Object.fromEntries(liveDashboardFields.map((name) => [name, whole[name]]));
  const { [liveDashboardFields[0]]: _, ...less } = moved;
  expect([sent(whole, true), sent(whole, false), sent(moved, false), sent(moved, true), sent(less, false)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("a serial number is refused in words that say what one is", () => {
  expect(["10101", "1010", "01010", "101010"].map((text) => SerialNumber.safeParse(text).error?.issues[0]?.message)).toEqual([
    undefined,
    ...Array<string>(3).fill("A serial number is 5 digits, the first not 0"),
  ]);
});

test("an empty name or address at sign-in is none", () => {
  const read = (username: unknown, email: unknown) => {
    const { username: name, email: address } = z.parse(LoginBody, { username, email, password: "x" });
    return [name, address];
  };
  expect([read("robin", ""), read("", "robin@example"), read(null, undefined)]).toEqual([
    ["robin", undefined],
    [undefined, "robin@example"],
    [undefined, undefined],
  ]);
});

test("what is entered is taken without the room around it, and room alone is nothing", () => {
  expect([" 5 ", "-.5", "12 kV ", "1,000"].map(readPlainNumber)).toEqual([5, -0.5, "12 kV", "1,000"]);
  expect(["Bearing", "  \n", "x".repeat(10_001)].map((note) => NewIncidentNote.safeParse({ note }).success)).toEqual([true, false, false]);
});

test("CUS-14 a kind of alert has a name for programs and one line for people, within its lengths", () => {
  const flag = { name: "voltageSag", display_name: "Voltage sag", value: true, notes: "", node_type: "Node" };
  const takes = (change: object) => FaultLibraryFlag.safeParse({ ...flag, ...change }).success;
  const lengths = { display_name: 100, notes: 300, node_type: 60 };
  for (const [field, most] of Object.entries(lengths))
    expect([field, takes({ [field]: "x".repeat(most) }), takes({ [field]: "x".repeat(most + 1) }), takes({ [field]: "a\nb" })]).toEqual([
      field,
      true,
      false,
      false,
    ]);
  expect(["Voltage", "v", "a-b", "__proto__"].filter((name) => takes({ name }))).toEqual([]);
  expect([takes({ display_name: "" }), takes({ value: "yes" })]).toEqual([false, false]);
});
