import { expect, test } from "vitest";
import type * as z from "zod/v4/core";
import { api } from "./api.ts";
import type { Endpoint } from "./endpoint.ts";

interface Definition {
  type: string;
  checks?: { _zod: { def: Limit } }[];
  defaultValue?: unknown;
  /** Of a choice. */
  entries?: Record<string, string>;
  values?: unknown[];
  error?: Limit["error"];
  shape?: Record<string, z.$ZodType>;
  items?: z.$ZodType[];
  options?: z.$ZodType[];
}
interface Limit {
  check: string;
  /** A rule of our own. */
  fn?: (input: unknown) => unknown;
  maximum?: number;
  minimum?: number;
  value?: number;
  inclusive?: boolean;
  error?: (issue: object) => string | undefined;
  /** What is made of a text before it is looked at. */
  tx?: (input: string) => string;
}

/** All schemas of a request, each with its place. */
function* schemasOf(schema: z.$ZodType | null | undefined, path: string): Generator<[definition: Definition, path: string]> {
  if (!schema) return;
  const def = schema._zod.def as unknown as Definition & Record<string, z.$ZodType | undefined>;
  yield [def, path];
  for (const key of ["element", "keyType", "valueType", "innerType", "in", "out", "left", "right", "rest"])
    yield* schemasOf(def[key], path + (key === "element" ? "[]" : ""));
  for (const part of [...(def.items ?? []), ...(def.options ?? [])]) yield* schemasOf(part, path);
  for (const [name, part] of Object.entries(def.shape ?? {})) yield* schemasOf(part, `${path}.${name}`);
}
const schemas = Object.entries<Endpoint>(api).flatMap(([name, { params, query, body }]) =>
  Object.entries({ params, query, body }).flatMap(([where, schema]) => [...schemasOf(schema, `${name} ${where}`)]),
);

const signs: Record<string, string> = { min_length: "≥", max_length: "≤", greater_than: ">", less_than: "<" };

/** Each limit of a text's or a list's length and of a number, with what is said beyond it: in how many places it is. */
function limitsOf(): Map<string, number> {
  const found = new Map<string, number>();
  for (const [{ checks = [], type }] of schemas)
    for (const { _zod } of checks) {
      const { check, maximum, minimum, value, inclusive = false, error } = _zod.def;
      const sign = signs[check];
      if (sign === undefined) continue;
      const limit = `${type} ${sign}${inclusive ? "=" : ""} ${maximum ?? minimum ?? value}: ${error?.({ code: "too_big", input: 1 }) ?? ""}`;
      found.set(limit, (found.get(limit) ?? 0) + 1);
    }
  return found;
}

test("A-63 every limit of a request is what it should be, in as many places, and says its sentence", () => {
  expect(Object.fromEntries(limitsOf())).toEqual(limits);
});

/** Of each rule: what keeps to it and what does not. */
const samples: Record<string, [takes: unknown[], refuses: unknown[]]> = {
  "Poles is a whole number": [[0, 3], [0.5]],
  "Rotor bars is a whole number": [[0, 3], [0.5]],
  "Type is one of the list": [
    ["Node", "subNode", "SEL", "GERelay"],
    ["", "node", "Relay"],
  ],
  "Node hardware version is one of the list": [
    ["ND001.02.01", "ND002.02.01", "ND003.02.01"],
    ["", "AC001.03.01"],
  ],
  "VI module hardware version is one of the list": [
    ["AC001.03.01", "DC001.03.01", "AC002.03.01"],
    ["", "ND001.02.01"],
  ],
  "Deployment task version is one of the list": [
    ["NL-NF", "NL-EF", "RMA"],
    ["", "NL"],
  ],
  "Say what is to change of nodes, locations or subscriptions, or which change to undo": [
    [{ nodes: {} }, { locations: {} }, { subscriptions: {} }, { undo: 1 }, { nodes: {}, undo: undefined }],
    [{}, { undo: undefined }, { nodes: {}, locations: {} }, { subscriptions: {}, undo: 1 }],
  ],
  "series is a list such as 10001:current,10002:powerKw, no longer than 12": [
    ["10001:current", Array.from({ length: 12 }, () => "10001:a_1").join()],
    ["", "10001", "10001:current,", "01001:current", Array.from({ length: 13 }, () => "10001:a").join(), `10001:${"x".repeat(41)}`],
  ],
  "points is a whole number from 1 to 4000": [
    ["1", "4000"],
    ["", "0", "4001", "-1", "1.5", "x"],
  ],
  "nodes is a list such as 10001,10002, no longer than 12": [
    ["10001", Array.from({ length: 12 }, () => "10001").join()],
    ["", "10001,", "1001", Array.from({ length: 13 }, () => "10001").join()],
  ],
  "series is a node with a quantity, such as 10001:powerKw": [
    ["10001:powerKw", "99999:I1_H5"],
    ["", "10001", "1001:powerKw", "10001:powerKw,10002:powerKw", "10001:", "10001:power kW"],
  ],
  "x is a node with a quantity, such as 10001:powerKw": [
    ["10001:powerKw", "99999:I1_H5"],
    ["", "10001", "1001:powerKw", "10001:powerKw,10002:powerKw", "10001:", "10001:power kW"],
  ],
  "y is a node with a quantity, such as 10001:powerKw": [
    ["10001:powerKw", "99999:I1_H5"],
    ["", "10001", "1001:powerKw", "10001:powerKw,10002:powerKw", "10001:", "10001:power kW"],
  ],
  "An id is a whole number from 1 to 2147483647": [
    ["1", "2147483647"],
    ["", "0", "01", "2147483648", "99999999999", "1.5"],
  ],
  "from is a date such as 2026-12-31": [
    ["2010-01-01", "2028-02-29", "2059-12-31"],
    ["", "2009-12-31", "2060-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31"],
  ],
  "to is a date such as 2026-12-31": [
    ["2010-01-01", "2028-02-29", "2059-12-31"],
    ["", "2009-12-31", "2060-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31"],
  ],
  "Billing start date is a day, YYYY-MM-DD": [
    ["1900-01-01", "2099-12-31", "2028-02-29"],
    ["1899-12-31", "2100-01-01", "2026-02-29", "2026-13-01", "26-01-01", "2026-01-1"],
  ],
  "Billing end date is a day, YYYY-MM-DD": [
    ["1900-01-01", "2099-12-31", "2028-02-29"],
    ["1899-12-31", "2100-01-01", "2026-02-29", "2026-13-01", "26-01-01", "2026-01-1"],
  ],
  "Paid thru date is a day, YYYY-MM-DD": [
    ["1900-01-01", "2099-12-31", "2028-02-29"],
    ["1899-12-31", "2100-01-01", "2026-02-29", "2026-13-01", "26-01-01", "2026-01-1"],
  ],
  "Each harmonic signature has a name of its own": [
    [
      [],
      [
        ["a", "60"],
        ["b", "60"],
      ],
    ],
    [
      [
        ["a", "60"],
        ["b", "61"],
        ["a", "62"],
      ],
    ],
  ],
  "Please correct information in boxes with red borders": [
    ["a", "Bearing 1"],
    ["", " ", "a;b"],
  ],
  "Note is required": [
    ["x", " x"],
    ["", " \n"],
  ],
  "An e-mail domain looks like works.example, in small letters": [
    [[], ["works.example", "a.b.example"]],
    [["works"], ["Works.example"], ["works.example", "@a.b"], [""]],
  ],
  "Each e-mail domain is listed once": [
    [[], ["a.b"], ["a.b", "b.c"]],
    [
      ["a.b", "a.b"],
      ["a.b", "b.c", "a.b"],
    ],
  ],
  "confirm is the numbers of facilities and locations that go with the customer, such as 2,14": [
    ["2,14", "0,0"],
    ["", "2", "2,14,3", "2,", "-1,2", "12345678,1"],
  ],
  "Facility location is latitude,longitude as signed decimals": [
    ["", "44.1,-122.9"],
    ["44.1", "a,b", "44.1 -122.9"],
  ],
  "Latitude is from -90 to 90, longitude from -180 to 180": [
    ["90,180", "-90,-180", "x"],
    ["90.1,0", "-90.1,0", "0,180.1", "0,-180.1"],
  ],
  "confirm is the number of locations that go with the facility": [
    ["0", "14"],
    ["", "2,14", "x", "12345678"],
  ],
  "managers names each user once": [
    [[], [1], [1, 2]],
    [
      [1, 1],
      [1, 2, 1],
    ],
  ],
  "serialNumbers has each entry once": [
    [[], ["10001"], ["10001", "10002"]],
    [
      ["10001", "10001"],
      ["10001", "10002", "10001"],
    ],
  ],
  "locationIds has each entry once": [
    [[], [1], [1, 2]],
    [
      [1, 1],
      [1, 2, 1],
    ],
  ],
  "userIds has each entry once": [
    [[], [1], [1, 2]],
    [
      [1, 1],
      [1, 2, 1],
    ],
  ],
  "facilities has each facility once": [[[{ facilityId: 1 }, { facilityId: 2 }]], [[{ facilityId: 1 }, { facilityId: 1 }]]],
  "Change at least one field": [
    [{ a: 1 }, { a: undefined, b: false }],
    [{}, { a: undefined }],
  ],
  "Container is required": [["Box"], ["", "  "]],
  "Data point interval is a whole number": [[0, 3], [0.5]],
  "Short-Term Over-Current Averaging Period is a whole number": [[0, 3], [0.5]],
  "Long-Term Over-Current Averaging Period is a whole number": [[0, 3], [0.5]],
  "Ticket link is empty or begins with http:// or https://, without a name and password in it": [
    ["", "https://tickets.example/1", "http://a.b"],
    ["ftp://a.b", "javascript:alert(1)", "https://me:secret@a.b", "a.b"],
  ],
  "serials is 1 to 200 serial numbers with commas between": [
    ["10001", Array.from({ length: 200 }, () => "10001").join()],
    ["", "10001,", "1001", Array.from({ length: 201 }, () => "10001").join()],
  ],
  "Each serial number is listed once": [
    [[{ serialNumber: "10001" }, { serialNumber: "10002" }]],
    [[{ serialNumber: "10001" }, { serialNumber: "10001" }]],
  ],
  "A 2FA code is letters and digits only": [
    ["", "aZ9"],
    ["a b", "1-2"],
  ],
  "Bill To is a date such as 2026-12-31": [
    ["2010-01-01", "2028-02-29", "2059-12-31"],
    ["", "2009-12-31", "2060-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31"],
  ],
  "Paid Thru is a date such as 2026-12-31": [
    ["2010-01-01", "2028-02-29", "2059-12-31"],
    ["", "2009-12-31", "2060-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31"],
  ],
  "billToDate is a date such as 2026-12-31": [
    ["2010-01-01", "2028-02-29", "2059-12-31"],
    ["", "2009-12-31", "2060-01-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31"],
  ],
  "A month is such as 2026-12": [
    ["2026-12", "2010-01"],
    ["", "2026-13", "2026-1", "2026", "2026-12-01"],
  ],
  "Passwords don't match": [[{ password: "a", passwordConfirm: "a" }, { password: "a" }], [{ password: "a", passwordConfirm: "b" }]],
  "message is required": [["x"], ["", " \n"]],
  "message has at most 4096 bytes": [
    ["x".repeat(4_096), "é".repeat(2_048)],
    ["x".repeat(4_097), "é".repeat(2_049)],
  ],
  "Fields cannot be empty": [["x"], ["", " "]],
  "from is a whole number from 1 to 999999999": [
    ["1", "999999999"],
    ["", "0", "1000000000", "-1", "1.5"],
  ],
  "count is a whole number from 1 to 100": [
    ["1", "100"],
    ["", "0", "101", "-1", "1.5", "x"],
  ],
  "limit is a whole number from 1 to 1000": [
    ["1", "1000"],
    ["", "0", "1001", "-1", "1.5", "x"],
  ],
  "Each facilityId is listed once": [[[{ facilityId: 1 }, { facilityId: 2 }]], [[{ facilityId: 1 }, { facilityId: 1 }]]],
  "Each userId is listed once": [[[{ userId: 1 }, { userId: 2 }]], [[{ userId: 1 }, { userId: 1 }]]],
  "count is a whole number from 1 to 1000": [
    ["1", "1000"],
    ["", "0", "1001", "-1", "1.5", "x"],
  ],
  "Give before or after, not both": [[{}, { before: 1 }, { after: 1 }], [{ before: 1, after: 1 }]],
  "A file name is a serial number, a UTC time and a kind, such as 10234_20260106T143000Z_D0900.txt": [
    ["10234_20260106T143000Z_D0900.txt"],
    ["", "x.txt", "10234_20261306T143000Z_D0900.txt"],
  ],
  "The end must be after the start": [
    [{ startTimestamp: 1, endTimestamp: 2 }],
    [
      { startTimestamp: 2, endTimestamp: 2 },
      { startTimestamp: 3, endTimestamp: 2 },
    ],
  ],
  "An event file has the kind E, such as 10234_20260106T143000Z_E0001.cev": [
    ["10234_20260106T143000Z_E0001.cev"],
    ["10234_20260106T143000Z_D0900.txt", "x"],
  ],
  "is before to": [
    [{}, { from: 1 }, { to: 1 }, { from: 1, to: 2 }],
    [
      { from: 2, to: 2 },
      { from: 3, to: 2 },
    ],
  ],
  "is one whole number from 1 to 2000": [
    ["1", "2000"],
    ["", "0", "2001", "-1", "1.5", "x"],
  ],
  "An event is named like its files, such as 10234_20260106T143000Z_E0001": [
    ["10234_20260106T143000Z_E0001"],
    ["", "10234_20260106T143000Z_D0900", "E0001"],
  ],
  "limit is a whole number from 1 to 500": [
    ["1", "500"],
    ["", "0", "501", "-1", "1.5", "x"],
  ],
};

/** Rules of our own, by what is said of who breaks them, or by the first place of one that says nothing. */
const rules = new Map<string, (input: unknown) => unknown>();
for (const [{ checks = [] }, path] of schemas)
  for (const { _zod } of checks)
    if (_zod.def.fn) {
      const said = _zod.def.error?.({ code: "custom", input: 1 });
      if (!rules.has(said ?? path)) rules.set(said ?? path, _zod.def.fn);
    }

const mayBeBroken = ["Voltage", "Current", "Horse power", "Speed", "Service factor"].map((label) => `${label} is a whole number`);

test("A-63 every rule of a request has samples", () => {
  expect([...rules.keys()].toSorted()).toEqual([...Object.keys(samples), ...mayBeBroken].toSorted());
  for (const label of mayBeBroken) expect([label, rules.get(label)?.(1.5)]).toEqual([label, true]);
});

test.each(Object.entries(samples))("A-63 %s: keeps to it or not", (rule, [takes, refuses]) => {
  expect(takes.length * refuses.length).toBeGreaterThan(0);
  const isTaken = rules.get(rule)!;
  expect(takes.filter((input) => !isTaken(input))).toEqual([]);
  expect(refuses.filter((input) => isTaken(input))).toEqual([]);
});

test("A-63 what a request may leave out is taken for this", () => {
  const found: Record<string, string[]> = {};
  for (const [{ type, defaultValue }, path] of schemas) if (type === "default") (found[JSON.stringify(defaultValue)] ??= []).push(path);
  expect(found).toEqual(defaults);
});

test("A-63 what a request may choose from is this, in as many places, and says its sentence", () => {
  const found: Record<string, number> = {};
  for (const [{ entries, values = Object.values(entries ?? {}), error }] of schemas)
    if (values.length > 0) {
      const choice = `${values.map(String).join(", ")}: ${error?.({ code: "invalid_value", input: 1 }) ?? ""}`;
      found[choice] = (found[choice] ?? 0) + 1;
    }
  expect(found).toEqual(choices);
});

test("A-63 what is made of a text before it is looked at", () => {
  const found: Record<string, string[]> = {};
  for (const [{ checks = [] }, path] of schemas)
    for (const { _zod } of checks) if (_zod.def.tx) (found[JSON.stringify(_zod.def.tx(" Ab\n"))] ??= []).push(path);
  expect(found).toEqual(rewrites);
});

/** What there is to choose from, with what is said of anything else: in how many places. */
const choices: Record<string, number> = {
  "scalars, D, S: kind is one of scalars, D, S": 2,
  "D, S: kind is D or S": 1,
  "NOT_COMPLETED, COMPLETED: is COMPLETED or NOT_COMPLETED": 1,
  "InductionMotor, SynchronousMotor, UtilityMain, DCMotor, Rectifier: Equipment type is required: one of the list": 2,
  "Pacific/Honolulu, America/Anchorage, America/Los_Angeles, America/Denver, America/Phoenix, America/Chicago, America/New_York, Asia/Kolkata: Time zone is required: one of the list": 4,
  ", DC Armature, DC Field, FVNR + DC Brake, FVNR, FVR + DC Brake, FVR, Reduced Voltage Starter, Rotor Field, Soft Start + DC Brake, Soft Starter, Synchronous, VFD: Starter is one of the list": 2,
  ", Belt, Belt - Reducer, Belt - Reducer - Belt, Direct, Direct Coupled, Reducer, Reducer - Belt, Belt + load sharing, Fluid Coupling: Load application is one of the list": 2,
  ", Line side, Load side: Voltage tap location is one of the list": 2,
  ", Motor Load, Motor Load + Auxiliary: CT location is one of the list": 2,
  ": id is given by the server": 6,
  "true, false: include_archived is true or false": 1,
  ": authorUserId is given by the server": 1,
  ": updatedTimestamp is given by the server": 1,
  ": firstName is given by the server": 1,
  ": lastName is given by the server": 1,
  "false: A new note is not archived": 1,
  "Revenue, Internal: Type is Revenue or Internal": 2,
  ", Corrugated, CPG, Gypsum, Guardian, Lumber, OSB, P&C, Plywood: Division is one of the list": 2,
  ", Solid Ground, High Impedance Ground, Ungrounded: Grounding type is one of the list": 2,
  "Inherit from Customer, Revenue, Internal: Type is one of the list": 2,
  "Pre-Deployment, Deployed, Unassigned: Deployment status is one of the list": 3,
  "Immediate, Daily, Weekly: frequency is one of Immediate, Daily, Weekly, or null for none": 6,
  "NL-NF, NL-EF, RMA: deploymentTaskType is one of NL-NF, NL-EF, RMA": 1,
  "Unassigned, Pre-Deployment, Decommissioned: oldNodeStatus is one of Unassigned, Pre-Deployment, Decommissioned": 1,
  "retry, putBack: kind is retry or putBack": 1,
  "pause, resume, cancel, readAgain: order is one of pause, resume, cancel, readAgain": 1,
  "true, false: is true or false": 4,
  "location, bill, billing start: ": 1,
  "bill, billing end: ": 1,
  "true, false: include_internal_users is true or false": 1,
  "true, false: include_inactive_users is true or false": 1,
  "Pre-Deployment, Deployed, Unassigned, Decommissioned: ": 2,
  ": macAddress is given by the server": 1,
  ": ipAddress is given by the server": 1,
  "Pre-Deployment, Deployed, Unassigned, Decommissioned: Deployment status is one of the list": 1,
  "ACTIVE: A new user is ACTIVE": 1,
  "false: a user of a customer is no administrator": 1,
  "false: a new user has no second factor": 1,
  "true: a new user has a password": 1,
  "ACTIVE, SUSPENDED: activeStatus is ACTIVE or SUSPENDED": 1,
  ": a password is set with PATCH /users/{id}/admin/password": 2,
  "read, upload: scopes are read and upload": 2,
  "error, warning, debug: kind is one of error, warning, debug": 1,
  "nodes, nodeCredentials, swaps, nodeConfig, batches, bulkChanges, tasks, customers, facilities, locations, notes, incidents, mutes, imports, users, subscriptions, bills, settings, services, downloads, signIns, connections, verdicts, files: kind is one of nodes, nodeCredentials, swaps, nodeConfig, batches, bulkChanges, tasks, customers, facilities, locations, notes, incidents, mutes, imports, users, subscriptions, bills, settings, services, downloads, signIns, connections, verdicts, files": 1,
  "POST_NODE, PATCH_NODE, NODE_STATUS_CHANGED, POST_DECOMMISSIONED_NODE, DELETE_DECOMMISSIONED_NODE, RESET_METERING, POST_NODE_CREDENTIALS, REVOKE_NODE_CREDENTIALS, SWAP_NODE, PATCH_NODE_CONFIG, START_BATCH, PAUSE_BATCH, RESUME_BATCH, CANCEL_BATCH, STOP_BATCH, END_BATCH, BULK_CHANGE, UNDO_BULK_CHANGE, PATCH_TASK, ADD_TASK_PHOTO, DELETE_TASK_PHOTO, POST_CUSTOMER, PATCH_CUSTOMER, DELETE_CUSTOMER, POST_FACILITY, PATCH_FACILITY, PATCH_FACILITY_MANAGERS, MOVE_FACILITY, DELETE_FACILITY, POST_LOCATION, PATCH_LOCATION, MOVE_LOCATION, DELETE_LOCATION, POST_NOTE, PATCH_NOTE, ARCHIVE_NOTE, UNARCHIVE_NOTE, PATCH_INCIDENT, POST_INCIDENT_NOTE, POST_MUTE, DELETE_MUTE, IMPORT_PLACES, POST_USER, PATCH_USER, DELETE_USER, PATCH_USER_PASSWORD, PATCH_OWN_PASSWORD, POST_ACCOUNT_NOTIFICATION, POST_API_KEY, DELETE_API_KEY, POST_ACCESS_KEY, DELETE_ACCESS_KEY, ENROL_TWO_FACTOR, RESET_TWO_FACTOR, REPLACE_RECOVERY_CODES, PATCH_SUBSCRIPTIONS, POST_BILL, VOID_BILL, PATCH_BILLING_ORGANIZATION, PATCH_SYSTEM_CONFIG, SERVICE_ENABLE, SERVICE_DISABLE, SERVICE_RUN, SEND_DEBUG, POST_SYSTEM_MESSAGE, MUTE_SYSTEM_MESSAGE, DOWNLOAD_FILES, REQUEST_HARMONICS, DELETE_DOWNLOAD, REQUEST_FILES, LOGIN, LOGIN_FAILED, LOGOUT, SESSION_REFRESH, SESSION_REUSED, END_SESSION, USE_RECOVERY_CODE, PASSCODE_LOCKED, NODE_BIRTH, NODE_DEATH, NODE_REBIRTH_REQUESTED, NODE_VERDICT_CHANGED, POST_NODE_FILE, POST_CUSTOMER_GP_EVENT, POST_CUSTOMER_GP_WAVEFORM, EXTRACT_FILE: action is the name of an action, such as PATCH_NODE": 1,
  "open, new, ended: state is one of open, new, ended": 1,
  "outage, link, silent, sensor, alarm: kind is one of outage, link, silent, sensor, alarm": 1,
  "node, location, facility: kind is one of node, location, facility": 1,
  "current, previous, next: The offset is current, previous or next": 1,
  "yes, no: is yes or no": 1,
  "trip, alarm, event: kind is one of trip, alarm, event": 2,
  "read, pending, incomplete, failed: status is one of read, pending, incomplete, failed": 2,
  "lastNight, today, yesterday, week, month: span is one of lastNight, today, yesterday, week, month": 2,
  "nodes, users, node-dashboard, events, changes, trends: list is one of nodes, users, node-dashboard, events, changes, trends": 2,
};

/** What becomes of a text with blanks, a capital letter and a line's end: where. */
const rewrites: Record<string, string[]> = {
  '"Ab"': [
    "createLocation body.name",
    "createLocation body.assetLocationNumber",
    "createLocation body.customerXRefId",
    "createLocation body.channels",
    "updateLocation body.name",
    "updateLocation body.assetLocationNumber",
    "updateLocation body.customerXRefId",
    "updateLocation body.channels",
    "createCustomer body.name",
    "updateCustomer body.name",
    "createFacility body.name",
    "createFacility body.siteName",
    "createFacility body.customerXRefId",
    "createFacility body.facilityLocation",
    "updateFacility body.name",
    "updateFacility body.siteName",
    "updateFacility body.customerXRefId",
    "updateFacility body.facilityLocation",
    "createDecommissionedNode body.facilityName",
    "createDecommissionedNode body.siteName",
    "swapNode body.reason",
    "voidBill body.reason",
    "createMute body.reason",
    "createView body.name",
    "updateView body.name",
  ],
};

/** Sentence by sentence: in how many places. */
const limits: Record<string, number> = {
  "string ≤ 320: is too long": 2,
  "string ≥ 1: password is required": 1,
  "string ≤ 256: password is too long": 1,
  "number >= 60: duration is at least 60 seconds": 2,
  "number >= 0: is a time in epoch seconds, from 1970 to 2100": 2,
  "number <= 4102444800: is a time in epoch seconds, from 1970 to 2100": 2,
  "string ≤ 10000: has at most 10000 characters": 1,
  "number >= 0: is 0 or more": 2,
  "number <= 99999999999: is a time in seconds": 1,
  "string ≤ 120: Name has at most 120 characters": 6,
  "string ≤ 100: Asset location number has at most 100 characters": 2,
  "string ≤ 100: Customer cross reference has at most 100 characters": 4,
  "number >= 0: Equipment start is in 1970 to 2059": 2,
  "number <= 2840227200: Equipment start is in 1970 to 2059": 2,
  "string ≤ 100: Channels has at most 100 characters": 2,
  "number >= 0: Voltage is from 0 to 40000": 2,
  "number <= 40000: Voltage is from 0 to 40000": 2,
  "number >= 0: Current is from 0 to 10000": 2,
  "number <= 10000: Current is from 0 to 10000": 2,
  "number >= 0: Horse power is from 0 to 50000": 2,
  "number <= 50000: Horse power is from 0 to 50000": 2,
  "number >= 0: Speed is from 0 to 20000": 2,
  "number <= 20000: Speed is from 0 to 20000": 2,
  "number >= 0: Poles is from 0 to 96": 2,
  "number <= 96: Poles is from 0 to 96": 2,
  "number >= 0: Rotor bars is from 0 to 500": 2,
  "number <= 500: Rotor bars is from 0 to 500": 2,
  "number >= 0.5: Service factor is from 0.5 to 2": 2,
  "number <= 2: Service factor is from 0.5 to 2": 2,
  "array ≤ 50: A location has at most 50 harmonic signatures": 2,
  "string ≤ 1000: At most 1000 characters of frequencies": 2,
  "array ≤ 10000: nodes has at most 10000 entries": 2,
  "string ≤ 500: Reason has at most 500 characters": 9,
  "number >= 1: An id is at least 1": 22,
  "number <= 2147483647: This id is too large": 22,
  "number >= 1: revision is at least 1": 9,
  "number <= 2147483647: This revision is too large": 9,
  "number <= 2147483647: is too large": 1,
  "number >= 1262217600: timestamp is in 2010 to 2059": 2,
  "number <= 2840227200: timestamp is in 2010 to 2059": 2,
  "string ≤ 2000: Note has at most 2000 characters": 3,
  "string ≤ 2000: Details have at most 2000 characters": 2,
  "string ≤ 63: Code has at most 63 letters": 2,
  "array ≤ 50: A customer has at most 50 e-mail domains": 2,
  "array ≤ 10000: facilities has at most 10000 entries": 2,
  "array ≤ 10000: decommissionedNodes has at most 10000 entries": 2,
  "string ≤ 120: Site name has at most 120 characters": 3,
  "array ≤ 10000: locations has at most 10000 entries": 2,
  "array ≤ 0: managers of a new facility are set once it is there": 1,
  "array ≤ 200: A facility has at most 200 managers": 2,
  "string ≥ 1: Facility name is required": 1,
  "string ≤ 120: Facility name has at most 120 characters": 1,
  "string ≥ 1: Site name is required": 1,
  "array ≥ 1: serialNumbers names at least one": 2,
  "array ≤ 2000: serialNumbers has at most 2000 entries": 2,
  "string ≤ 120: Container has at most 120 characters": 4,
  "number >= 1: Data point interval is from 1 to 9999": 4,
  "number <= 9999: Data point interval is from 1 to 9999": 4,
  "string ≤ 500: Reason of the pause has at most 500 characters": 4,
  "string ≤ 2000: Ticket link has at most 2000 characters": 4,
  "number >= 0: Voltage Imbalance Threshold is from 0 to 100000": 4,
  "number <= 100000: Voltage Imbalance Threshold is from 0 to 100000": 4,
  "number >= 0: Voltage THD Threshold is from 0 to 100000": 4,
  "number <= 100000: Voltage THD Threshold is from 0 to 100000": 4,
  "number >= 0: Current Imbalance Threshold is from 0 to 100000": 4,
  "number <= 100000: Current Imbalance Threshold is from 0 to 100000": 4,
  "number >= 0: Current THD Threshold is from 0 to 100000": 4,
  "number <= 100000: Current THD Threshold is from 0 to 100000": 4,
  "number >= 0: Over-Voltage Threshold is from 0 to 100000": 4,
  "number <= 100000: Over-Voltage Threshold is from 0 to 100000": 4,
  "number >= 0: Short-Term Over-Current Threshold is from 0 to 100000": 4,
  "number <= 100000: Short-Term Over-Current Threshold is from 0 to 100000": 4,
  "number >= 1: Short-Term Over-Current Averaging Period is from 1 to 1440": 4,
  "number <= 1440: Short-Term Over-Current Averaging Period is from 1 to 1440": 4,
  "number >= 0: Long-Term Over-Current Threshold is from 0 to 100000": 4,
  "number <= 100000: Long-Term Over-Current Threshold is from 0 to 100000": 4,
  "number >= 1: Long-Term Over-Current Averaging Period is from 1 to 1440": 4,
  "number <= 1440: Long-Term Over-Current Averaging Period is from 1 to 1440": 4,
  "number >= 0: Under-Voltage Threshold is from 0 to 100000": 4,
  "number <= 100000: Under-Voltage Threshold is from 0 to 100000": 4,
  "number >= 0: Loss-Of-Phase Transient Threshold is from 0 to 100000": 4,
  "number <= 100000: Loss-Of-Phase Transient Threshold is from 0 to 100000": 4,
  "number >= 0: Stop Event of Interest Threshold is from 0 to 100000": 4,
  "number <= 100000: Stop Event of Interest Threshold is from 0 to 100000": 4,
  "number >= 0: VI Minimum Voltage Threshold is from 0 to 100000": 4,
  "number <= 100000: VI Minimum Voltage Threshold is from 0 to 100000": 4,
  "array ≥ 1: locationIds names at least one": 2,
  "array ≤ 2000: locationIds has at most 2000 entries": 2,
  "array ≥ 1: userIds names at least one": 2,
  "array ≤ 2000: userIds has at most 2000 entries": 2,
  "array ≥ 1: facilities names at least one": 2,
  "array ≤ 100: facilities has at most 100 entries": 2,
  "array ≤ 2000: digests has at most 2000 entries": 1,
  "array ≥ 1: Name at least one node": 3,
  "array ≤ 200: At most 200 nodes at once": 3,
  "string ≤ 120: text has at most 120 characters": 1,
  "string ≥ 3: Reason has at least 3 characters": 3,
  "number >= 1: oldRevision is at least 1": 1,
  "number >= 1: newRevision is at least 1": 1,
  "number <= 2147483647: This oldRevision is too large": 1,
  "number <= 2147483647: This newRevision is too large": 1,
  "array ≥ 1: A batch has at least one node": 1,
  "array ≤ 2000: A batch has at most 2000 nodes": 1,
  "array ≥ 1: A batch changes at least one parameter": 1,
  "array ≤ 60: A batch changes at most 60 parameters": 1,
  "string ≤ 300: value has at most 300 characters": 1,
  "string ≥ 1: Missing 2FA Passcode": 2,
  "number >= 1: atOnce is at least 1": 1,
  "number <= 100: atOnce is at most 100": 1,
  "number >= 1: perMinute is at least 1": 1,
  "number <= 6000: perMinute is at most 6000": 1,
  "number >= 1: firstWave is at least 1": 1,
  "number <= 2000: firstWave is at most 2000": 1,
  "number >= 0: stopPercent is at least 0": 1,
  "number <= 100: stopPercent is at most 100": 1,
  "string ≤ 200: filter is longer than 200 characters": 1,
  "string ≤ 60: Vendor # has at most 60 characters": 2,
  "string ≤ 60: PO # has at most 60 characters": 2,
  "string ≤ 60: Terms has at most 60 characters": 2,
  "string ≤ 60: Invoice # has at most 60 characters": 2,
  "array ≤ 10000: ": 4,
  "array ≤ 100: ": 1,
  "string ≤ 200: Reason has at most 200 characters": 1,
  "string ≤ 120: Customer has at most 120 characters": 2,
  "string ≤ 120: Facility has at most 120 characters": 2,
  "string ≤ 120: Location has at most 120 characters": 2,
  "string ≤ 2000: Details of the deployment issue has at most 2000 characters": 2,
  "number >= 1262304000: The time of the status change is in 2010 to 2059": 3,
  "number <= 2840227200: The time of the status change is in 2010 to 2059": 3,
  "string ≤ 254: Email has at most 254 characters": 2,
  "string ≤ 64: Customer code has at most 64 characters": 2,
  "string ≥ 1: Customer is required": 1,
  "string ≥ 8: A password has at least 8 characters": 3,
  "string ≤ 128: A password has at most 128 characters": 3,
  "string ≥ 1: Type the password once more": 1,
  "array ≤ 0: special privileges cannot be given here": 1,
  "array ≤ 20: roles has at most 20 entries": 1,
  "array ≥ 1: scopes names at least one": 2,
  "array ≤ 2: scopes names each once": 2,
  "number >= 1: expiresInDays is at least 1": 2,
  "number <= 1095: expiresInDays is at most 1095": 2,
  "string ≥ 1: Your current password is required": 2,
  "string ≤ 256: A password has at most 256 characters": 2,
  "number >= 0: hours is 0 to 720": 1,
  "number <= 720: hours is 0 to 720": 1,
  "string ≥ 1: message is required": 1,
  "string ≤ 500: message has at most 500 characters": 1,
  "string ≤ 200: screen has at most 200 characters": 1,
  "string ≤ 1500: trace has at most 1500 characters": 1,
  "string ≤ 100000: A setting has at most 100000 characters": 1,
  "string ≤ 64: text has at most 64 characters": 1,
  "string ≤ 64: owner has at most 64 characters": 1,
  "array ≥ 1: Change at least one": 2,
  "array ≤ 1000: At most 1000 changes at once": 2,
  "number >= 1262217600: untilTimestamp is in 2010 to 2059": 1,
  "number <= 2840227200: untilTimestamp is in 2010 to 2059": 1,
  "string ≥ 1: Name is required": 2,
  "string ≤ 60: Name has at most 60 characters": 2,
  "string ≤ 2000: query has at most 2000 characters": 2,
};

const defaults: Record<string, string[]> = {
  "0": ["createNode body.viMinimumVoltageThreshold"],
  "5": ["createNode body.shortTermOverCurrentAveragingPeriod", "createNode body.longTermOverCurrentAveragingPeriod"],
  "8": ["createNode body.overVoltageThreshold"],
  "10": [
    "createNode body.voltageImbalanceThreshold",
    "createNode body.voltageThdThreshold",
    "createNode body.currentImbalanceThreshold",
    "createNode body.currentThdThreshold",
    "createNode body.underVoltageThreshold",
  ],
  "15": ["createNode body.shortTermOverCurrentThreshold", "createNode body.longTermOverCurrentThreshold"],
  "72": ["createNode body.stopEventOfInterestThreshold"],
  "365": ["createApiKey body.expiresInDays", "createAccessKey body.expiresInDays"],
  "500": ["createNode body.lossOfPhaseTransientThreshold"],
  "900": ["createNode body.dataPointInterval"],
  "86400": ["createAdministratorSession body.duration", "refreshSession body.duration"],
  false: [
    "createAdministratorSession body.sendEmail",
    "createAdministratorSession body.newDevice",
    "createAdministratorSession body.v2Server",
    "createCustomer body.enableDataTransfer",
    "createCustomer body.requireDivisionFacilityLocation",
    "createNode body.poeEnabled",
    "createNode body.nameplateValid",
    "createNode body.notifyOnConnect",
    "createNode body.notifyOnCurrentAboveNoise",
    "createNode body.disableMonitoring",
    "createNode body.pauseNotifications",
    "createNode body.pauseConnectivityNotifications",
    "createNode body.showRawPower",
    "createNode body.deploymentIssue",
    "createUser body.receiveDailyReport",
    "createUser body.accessAnalytics",
    "createUser body.analyticsEarlyAccess",
    "createUser body.demoUser",
    "createUser body.internalUser",
    "createUser body.autoSubscribeAllFacilities",
  ],
  '""': [
    "createLocation body.assetLocationNumber",
    "createLocation body.customerXRefId",
    "createLocation body.starter",
    "createLocation body.loadApplication",
    "createLocation body.voltageTapLocation",
    "createLocation body.ctLocation",
    "createLocationNote body.details",
    "createFacility body.customerXRefId",
    "createFacility body.division",
    "createFacility body.groundingType",
    "createFacility body.facilityLocation",
    "getBill query.vendorId",
    "getBill query.purchaseOrder",
    "getBill query.terms",
    "getBill query.invoiceNumber",
    "createNode body.unassignedCustomer",
    "createNode body.unassignedFacility",
    "createNode body.unassignedLocation",
    "createNode body.pauseConnectivityNotificationsReason",
    "createNode body.pauseConnectivityNotificationsUrl",
    "createNode body.deploymentIssueDetails",
  ],
  null: [
    "createLocation body.nodeSerialNumber",
    "createLocation body.secondaryNodeSerialNumber",
    "createLocation body.billingStartDate",
    "createLocation body.billingEndDate",
    "createLocation body.paidThruDate",
    "createLocation body.channels",
    "createLocation body.npVoltage",
    "createLocation body.npCurrent",
    "createLocation body.npHp",
    "createLocation body.npRpm",
    "createLocation body.npPoles",
    "createLocation body.npRotorBars",
    "createLocation body.npServiceFactor",
    "createNode body.nodeHardwareVersion",
    "createNode body.viModuleHardwareVersion",
    "createNode body.deploymentTaskType",
    "createNode body.newDeploymentStatusUpdateTimestamp",
  ],
  true: [
    "createLocation body.notifyMissedData",
    "createLocationNote body.showInVoltagePlot",
    "createLocationNote body.showInCurrentPlot",
    "createLocationNote body.showInAccumulatedAmpHoursPlot",
    "createNode body.monitorDataPointAlerts",
    "createNode body.monitorDailyProgress",
    "createNode body.monitorMissingData",
    "createNode body.eventsReportScan",
    "createNode body.trendingReportScan",
    "createNode body.voltageHatReportScan",
    "createNode body.currentHatReportScan",
    "createNode body.activeVa",
    "createNode body.activeVb",
    "createNode body.activeVc",
    "createNode body.activeIa",
    "createNode body.activeIb",
    "createNode body.activeIc",
    "createNode body.activePa",
    "createNode body.activePb",
    "createNode body.activePc",
    "createUser body.receiveConnectivityNotifications",
    "createUser body.receiveFaultLibraryNotifications",
  ],
  "{}": ["createLocation body.faultLibraryAlertFlags"],
  "[]": ["createLocation body.harmonicSignatures", "createCustomer body.emailDomains"],
  '"Revenue"': ["createCustomer body.type"],
  '"Inherit from Customer"': ["createFacility body.type"],
  '"false"': ["getBill query.voltaEnergy", "getUserReport query.include_internal_users", "getUserReport query.include_inactive_users"],
  '"Node"': ["createNode body.type"],
  '"Pre-Deployment"': ["createNode body.newDeploymentStatus"],
  '"ACTIVE"': ["createUser body.activeStatus"],
  '["read","upload"]': ["createApiKey body.scopes", "createAccessKey body.scopes"],
  '"1"': ["getActivities query.from", "getNotifications query.from"],
  '"10"': ["getActivities query.count", "getNotifications query.count"],
  '"20"': ["getRecentLogins query.count"],
};
