import { expect, test } from "vitest";
import type * as z from "zod/v4/core";
import { api } from "./api.ts";
import { HarmonicSignature } from "./directory/locations.ts";
import type { Endpoint } from "./endpoint.ts";

interface Definition {
  pattern?: RegExp;
  checks?: { _zod: { def: Definition } }[];
  shape?: Record<string, z.$ZodType>;
  items?: z.$ZodType[];
  options?: z.$ZodType[];
}

/** Every pattern that a text of a request has to match, and where. */
function patternsIn(schema: z.$ZodType | null | undefined, path: string): [RegExp, string][] {
  if (!schema) return [];
  const def = schema._zod.def as unknown as Definition & Record<string, z.$ZodType | undefined>;
  const own = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)].flatMap(({ pattern }) => (pattern ? [pattern] : []));
  const inner = ["element", "keyType", "valueType", "innerType", "in", "out", "left", "right", "rest"].map((key) => def[key]);
  return [
    ...own.map((pattern): [RegExp, string] => [pattern, path]),
    ...[...inner, ...(def.items ?? []), ...(def.options ?? [])].flatMap((part) => patternsIn(part, path)),
    ...Object.entries(def.shape ?? {}).flatMap(([name, part]) => patternsIn(part, `${path}.${name}`)),
  ];
}

const patterns = new Map<string, { pattern: RegExp; path: string; places: number }>();
for (const [name, { params, query, body }] of Object.entries<Endpoint>(api))
  for (const [where, schema] of Object.entries({ params, query, body }))
    for (const [pattern, path] of patternsIn(schema, `${name} ${where}`)) {
      const { places, ...first } = patterns.get(String(pattern)) ?? { pattern, path, places: 0 };
      patterns.set(String(pattern), { ...first, places: places + 1 });
    }

const uuid = "0d9f7c52-6d0e-4c5e-9a57-3f2b1c4d5e6f";
/** What each pattern takes and refuses, by the first place that has it. */
const samples: Record<string, [takes: string[], refuses: string[]]> = {
  "createAdministratorSession body.code": [
    ["123456", "aZ9", "x".repeat(32)],
    ["", "12 34", "12-34", "x".repeat(33)],
  ],
  "getNodeDashboard query.since": [
    ["0", "9".repeat(20)],
    ["", "-1", "1.5", "9".repeat(21)],
  ],
  "getScalarHistory params.serial": [
    ["10000", "99999"],
    ["01234", "1234", "123456", "1234a"],
  ],
  "find query.text": [
    ["fa", "10604", "  ", "x".repeat(65)],
    ["", "f", "a\nb"],
  ],
  "getEvent query.amperes": [
    ["0", "24.1", "1234567.125"],
    ["", "-1", "1e3", "12345678", "1.2345", ".5", "5."],
  ],
  "getChanges query.object": [
    ["node/10604", "user/1", `note/${"9".repeat(15)}`],
    ["node", "node/", "node/a", "file/1", " node/1", "node/1 ", `user/${"9".repeat(16)}`],
  ],
  "getChanges query.from": [
    ["0", "9".repeat(11)],
    ["", "-1", "1.5", "9".repeat(12)],
  ],
  "getScalarHistory query.before": [
    ["0", "9".repeat(10)],
    ["", "-1", "1.5", "9".repeat(11)],
  ],
  "getScalarHistory query.limit": [
    ["0", "9999"],
    ["", "10000", "-1", "1e3"],
  ],
  "patchNodeTask params.id": [
    ["1", "999999"],
    ["0", "01", "1000000", "x"],
  ],
  "runBulkChange body.digests": [
    ["x".repeat(22), "aZ09_-aZ09_-aZ09_-aZ09"],
    ["", "x".repeat(21), "x".repeat(23), "x".repeat(21) + "+"],
  ],
  "createLocation body.name": [
    ["A1", "9 Pump, No. 2"],
    ["A", " A1", ".A1", "Pump_1", "Pümpe"],
  ],
  "createLocation body.assetLocationNumber": [
    ["", "é – 7", "\u{1F600}"],
    ["a\nb", "a\tb", "\u0085"],
  ],
  "createLocation body.faultLibraryAlertFlags": [
    ["ab", "aB9", `a${"x".repeat(63)}`],
    ["a", "Ab", "9b", "a_b", "__proto__", `a${"x".repeat(64)}`],
  ],
  "createLocation body.harmonicSignatures": [
    ["60", "1.5;-2.25;+.5", "123456789.123456"],
    ["", ";", "60;", "1,5", "1e3", "1234567890", "1.1234567"],
  ],
  "createLocationNote body.note": [
    ["", "a\tb\r\nc"],
    ["a\u0007b", "\u001b[31m"],
  ],
  "getNodePlotNotes query.from": [
    ["0", "9999999999"],
    ["", "-1", "1.5", "10000000000"],
  ],
  "getSystemConfigEntry params.name": [
    ["A", "a_b.c-9", "x".repeat(100)],
    ["", "a b", "a/b", "x".repeat(101)],
  ],
  "createCustomer body.code": [
    ["ab", "alder"],
    ["a", "Ab", "a1", "a-b"],
  ],
  "createCustomer body.name": [
    ["Abc", "A1, Inc."],
    ["Ab", "1bc", " Abc", "A_b"],
  ],
  "createFacility body.name": [
    ["Abc", "1 East-Works_2, No. 3"],
    ["Ab", " Abc", "-Abc", "A/b"],
  ],
  "setFacilityManagers query.revision": [
    ["1", "999999999"],
    ["0", "01", "1000000000", "1.0"],
  ],
  "getNetworkConfigLog query.before": [
    ["1", "9".repeat(15)],
    ["0", "01", "9".repeat(16)],
  ],
  "downloadAdmin params.token": [["aZ0_-".repeat(8) + "abc"], ["x".repeat(42), "x".repeat(44), `${"x".repeat(42)}.`]],
  "getUserReport query.customer_code": [
    ["ab", "x".repeat(63)],
    ["a", "Ab", "x".repeat(64)],
  ],
  "createNode body.deploymentIssueDetails": [["", "a\tb\r\nc"], ["a\u0007b"]],
  "createUser body.username": [
    ["pat", "p9@x._"],
    ["p", "9pat", "Pat", "pat-a", "x".repeat(65)],
  ],
  "createUser body.firstName": [
    ["Jo", "Zoë Ann", "O'Neil"],
    ["J", " Jo", "Jo9", "Jo-Ann", "x".repeat(65)],
  ],
  "createUser body.email": [
    ["a@b.de", "o'neil.x+y@mail.works.example"],
    ["a@b", "a.@b.de", ".a@b.de", "a..b@c.de", "a@-b.de", "a@b.d", "a b@c.de", "a@b_c.de"],
  ],
  "createUser body.password": [
    ["", "Az09#.!&%+-_"],
    ["a b", "a$", "ä"],
  ],
  "createApiKey params.name": [
    ["x", "plant_1-A", "x".repeat(64)],
    ["", "a b", "a.b", "x".repeat(65)],
  ],
  "endOwnSession params.sessionId": [[uuid], [uuid.slice(1), `${uuid}0`, uuid.replace("0d", "0g")]],
  "getWaitingWork params.name": [
    ["MailSender", "x".repeat(64)],
    ["", "Mail1", "Mail_Sender", "x".repeat(65)],
  ],
  "reportConsoleError body.id": [
    ["0123ABCD", "99999999"],
    ["0123abcd", "0123ABC", "0123ABCD0", "0123ABCG"],
  ],
  "updateSystemConfig query.revision": [
    ["0", "9".repeat(15)],
    ["", "-1", "9".repeat(16)],
  ],
  "updateSystemConfig body": [
    ["a", "Retention_fileDays", `a${"9".repeat(99)}`],
    ["", "_a", "9a", "a.b", `a${"9".repeat(100)}`],
  ],
  "getActivities query.actor": [
    ["a", "é b", "x".repeat(64)],
    ["", "a\nb", "x".repeat(65)],
  ],
  "getActivities query.action": [
    ["A", "POST_API_KEY", "X".repeat(64)],
    ["", "post", "A1", "X".repeat(65)],
  ],
  "getNodeFiles query.before": [
    ["0", "9".repeat(11)],
    ["", "-1", "1.5", "9".repeat(12)],
  ],
  "getNodeFiles query.after": [
    ["-1", "0", "9".repeat(11)],
    ["", "-2", "-10", "9".repeat(12)],
  ],
  "getNodeFiles query.kinds": [
    ["D", "DSHEX"],
    ["", "d", "A", "DSHEXD"],
  ],
  "createNodeCredentials body.nodes.version": [
    ["", "1790000000.123456", "0.0"],
    ["1790000000", "1.", ".5", "-1.5", "1.1234567", "123456789012.5"],
  ],
  "createCredentialSheet body.credentials.password": [
    ["x".repeat(20), "aZ9_-".repeat(20)],
    ["", "x".repeat(19), "x".repeat(101), `${"x".repeat(20)} `, `${"x".repeat(20)}é`],
  ],
  "runNodeImport params.digest": [["0af".padEnd(64, "9")], ["", "0".repeat(63), "0".repeat(65), "A".repeat(64)]],
  "runUserImport params.digest": [["0af".padEnd(64, "9")], ["", "0".repeat(63), "0".repeat(65), "A".repeat(64)]],
  "runPlaceImport params.digest": [["0af".padEnd(64, "9")], ["", "0".repeat(63), "0".repeat(65), "A".repeat(64)]],
  "createBatch body.values.key": [
    ["np_voltage", "a", "Node Info/MAC", "x".repeat(64)],
    ["", "a\tb", "é", "a;b", "x".repeat(65)],
  ],
  "startBatch body.startLocal": [
    ["", "2026-11-24 02:30"],
    ["2026-11-24", "2026-11-24T02:30", "1999-11-24 02:30", "2026-11-24 02:30:00", " 2026-11-24 02:30"],
  ],
  "fetchDownload params.id": [[uuid], [uuid.toUpperCase(), uuid.slice(1), `${uuid}0`, uuid.replaceAll("-", "")]],
  "getEventFile query.from": [
    ["0", "-1.5", "999999999.123456789012"],
    ["", "1.", ".5", "+1", "1e3", "1234567890", "0.1234567890123"],
  ],
};

test.each([...patterns.values()].map(({ path, pattern }) => [path, pattern] as const))(
  "A-63 %s takes what it should and nothing else",
  (path, pattern) => {
    const [takes, refuses] = samples[path] ?? [[], []];
    expect(takes.length * refuses.length).toBeGreaterThan(0);
    for (const text of takes) {
      expect([text, pattern.test(text)]).toEqual([text, true]);
      for (const around of [`\0${text}`, `${text}\0`, `${text}\n\0`]) expect([around, pattern.test(around)]).toEqual([around, false]);
    }
    for (const text of refuses) expect([text, pattern.test(text)]).toEqual([text, false]);
  },
);

test("A-63 each pattern is looked at in as many places as it should be", () => {
  expect(Object.fromEntries([...patterns.values()].map(({ path, places }) => [path, places]))).toEqual({
    "createAdministratorSession body.code": 13,
    "createApiKey params.name": 2,
    "createBatch body.values.key": 1,
    "createCredentialSheet body.credentials.password": 1,
    "createCustomer body.code": 2,
    "createCustomer body.name": 2,
    "createFacility body.name": 4,
    "createLocation body.assetLocationNumber": 52,
    "createLocation body.faultLibraryAlertFlags": 4,
    "createLocation body.harmonicSignatures": 2,
    "createLocation body.name": 2,
    "createLocationNote body.note": 6,
    "createNode body.deploymentIssueDetails": 2,
    "createNodeCredentials body.nodes.version": 2,
    "createUser body.email": 2,
    "createUser body.firstName": 4,
    "createUser body.password": 3,
    "createUser body.username": 2,
    "downloadAdmin params.token": 1,
    "endOwnSession params.sessionId": 1,
    "fetchDownload params.id": 2,
    "find query.text": 1,
    "getActivities query.action": 1,
    "getActivities query.actor": 5,
    "getChanges query.from": 9,
    "getChanges query.object": 1,
    "getEvent query.amperes": 2,
    "getEventFile query.from": 2,
    "getNetworkConfigLog query.before": 2,
    "getNodeDashboard query.since": 1,
    "getNodeFiles query.after": 1,
    "getNodeFiles query.kinds": 1,
    "getScalarHistory params.serial": 52,
    "getScalarHistory query.before": 15,
    "getScalarHistory query.limit": 3,
    "getSystemConfigEntry params.name": 1,
    "getUserReport query.customer_code": 1,
    "getWaitingWork params.name": 6,
    "patchNodeTask params.id": 4,
    "reportConsoleError body.id": 1,
    "runBulkChange body.digests": 1,
    "runPlaceImport params.digest": 5,
    "setFacilityManagers query.revision": 5,
    "startBatch body.startLocal": 1,
    "updateSystemConfig body": 1,
    "updateSystemConfig query.revision": 3,
  });
});

test("CUS-15 a signature has a name of letters and digits, and frequencies", () => {
  const isTaken = (name: string) => HarmonicSignature.safeParse([name, "60"]).success;
  expect(["a", "Bearing 6205_b-1", "x".repeat(60)].filter((name) => !isTaken(name))).toEqual([]);
  expect(["", " ", "a;b", "a\n", "\0a", "é", "x".repeat(61)].filter(isTaken)).toEqual([]);
});
