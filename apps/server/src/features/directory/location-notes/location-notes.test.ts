import { maxNoteLength, type LocationNote, type PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createPlotNotesReadModel } from "./plot-notes.read-model.ts";

let server: TestApp;
let token: string;
let otherToken: string;
let place: TestPlace;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("pat"));
  otherToken = await server.login(await server.addAdministrator("robin"));
  await server.database.pool.query("update app_user set first_name = 'Robin', last_name = 'Other' where username = 'robin'");
  place = await addPlace(server.database.pool);
});
afterAll(() => server.stop());

const url = (location: number, rest = "") => `/api/v2/locations/${location}/notes${rest}`;
const valid = { timestamp: 1_790_000_000, note: "Belt replaced" };
const post = (fields: object = {}, location = place.locationId) =>
  server.call({ method: "POST", url: url(location), token, payload: { ...valid, ...fields } });
const created = async (fields: object = {}, location?: number) => (await post(fields, location)).json["data"] as LocationNote;
const patch = (id: number, fields: object, as = token, location = place.locationId) =>
  server.call({ method: "PATCH", url: url(location, `/${id}`), token: as, payload: fields });
const archive = (id: number, as = token) => server.call({ method: "POST", url: url(place.locationId, `/${id}/archive`), token: as });
const unarchive = (id: number, as = token) => server.call({ method: "DELETE", url: url(place.locationId, `/${id}/archive`), token: as });
const list = async (location = place.locationId, query = "") =>
  (await server.call({ method: "GET", url: url(location, query), token })).json["data"] as LocationNote[];
const outcome = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];
const activities = async (id: number) =>
  (await server.database.pool.query("select action, actor, before, after from activity where object = $1 order by id", [`note/${id}`]))
    .rows;

test("NOT-04 NOT-06 a note with every field; details are optional; who wrote it last and when", async () => {
  const before = Math.floor(Date.now() / 1000);
  const note = await created({
    details: "Part 7\n\twas worn",
    showInVoltagePlot: false,
    id: null,
    isArchived: false,
  });
  expect(note).toEqual({
    ...valid,
    id: note.id,
    details: "Part 7\n\twas worn",
    showInVoltagePlot: false,
    showInCurrentPlot: true,
    showInAccumulatedAmpHoursPlot: true,
    authorUserId: expect.any(Number),
    updatedTimestamp: expect.any(Number),
    firstName: "Test",
    lastName: "Person",
    isArchived: false,
    revision: 1,
  });
  expect(note.updatedTimestamp).toBeGreaterThanOrEqual(before);
  const changed = (await patch(note.id, { note: "Belt and pulley replaced" }, otherToken)).json["data"] as LocationNote;
  expect(changed).toMatchObject({
    authorUserId: note.authorUserId,
    firstName: "Robin",
    lastName: "Other",
    revision: 2,
    details: note.details,
  });
  expect(await activities(note.id)).toEqual([
    { action: "POST_NOTE", actor: "pat", before: null, after: note },
    { action: "PATCH_NOTE", actor: "robin", before: note, after: changed },
  ]);
  expect((await created()).details).toBe("");
});

describe("NOT-04 the rules of each field", () => {
  const refused: [field: string, values: unknown[]][] = [
    ["timestamp", [undefined, null, "1790000000", 1.5, -1, 0, 1_262_217_599, 2_840_227_201, Number.MAX_SAFE_INTEGER]],
    ["note", [undefined, null, "", " \n\t ", "x".repeat(maxNoteLength + 1), "a\u0000b", "a\u001B[2Jb", 5]],
    ["details", ["x".repeat(maxNoteLength + 1), "a\u0007b", 5, null]],
    ["showInVoltagePlot", ["true", null, 1]],
    ["showInCurrentPlot", ["false"]],
    ["showInAccumulatedAmpHoursPlot", [0]],
  ];
  test.each(refused)("a bad %s is refused by name", async (field, values) => {
    for (const value of values) {
      const { status, json } = await post({ [field]: value });
      expect([value, status]).toEqual([value, 400]);
      expect(json["errorMessage"]).toMatch(new RegExp(`^${field}: `));
    }
  });
  test("NOT-04 2000 characters fit", async () => {
    expect((await created({ note: "x".repeat(maxNoteLength), details: "y".repeat(maxNoteLength) })).details).toHaveLength(maxNoteLength);
  });
});

describe("COM-08 NOT-04 the years of the location's own clocks", () => {
  const edges: [timezone: string, first: string, last: string][] = [
    ["Pacific/Honolulu", "2010-01-01T10:00:00Z", "2060-01-01T09:59:59Z"],
    ["Asia/Kolkata", "2009-12-31T18:30:00Z", "2059-12-31T18:29:59Z"],
    ["America/Chicago", "2010-01-01T06:00:00Z", "2060-01-01T05:59:59Z"],
  ];
  test.each(edges)("%s takes 2010 to 2059 and nothing beside", async (timezone, first, last) => {
    const { locationId } = await addPlace(server.database.pool, timezone);
    const [from, to] = [Date.parse(first) / 1000, Date.parse(last) / 1000];
    const statuses = await Promise.all(
      [from - 1, from, to, to + 1].map(async (timestamp) => (await post({ timestamp }, locationId)).status),
    );
    expect(statuses).toEqual([400, 200, 200, 400]);
  });
});

test("NOT-02 NOT-03 archived ones come only when requested; active before archived, then newest first", async () => {
  const { locationId } = place.locationId ? await addPlace(server.database.pool) : place;
  const ids: number[] = [];
  for (const timestamp of [1_500_000_000, 1_700_000_000, 1_600_000_000, 1_800_000_000])
    ids.push((await created({ timestamp }, locationId)).id);
  const [old, newer, middle, newest] = ids;
  for (const id of [newest, old]) await server.call({ method: "POST", url: url(locationId, `/${id}/archive`), token });
  const order = async (query: string) => (await list(locationId, query)).map(({ id }) => id);
  expect(await order("")).toEqual([newer, middle]);
  expect(await order("?include_archived=false")).toEqual([newer, middle]);
  expect(await order("?include_archived=true")).toEqual([newer, middle, newest, old]);
  expect((await server.call({ method: "GET", url: url(locationId, "?include_archived=yes"), token })).status).toBe(400);
});

test("NOT-03 of notes of one time the last written comes first", async () => {
  const { locationId } = await addPlace(server.database.pool);
  const ids = [];
  for (const note of ["one", "two", "three"]) ids.push((await created({ note }, locationId)).id);
  expect((await list(locationId)).map(({ id }) => id)).toEqual(ids.toReversed());
});

test("NOT-02 archive and unarchive: once each, recorded, and an archived note cannot be edited", async () => {
  const { id } = await created();
  expect(outcome(await unarchive(id))).toEqual([409, "This note is active already"]);
  expect((await archive(id)).json["data"]).toMatchObject({ id, isArchived: true, revision: 2 });
  expect(outcome(await archive(id))).toEqual([409, "This note is archived already"]);
  expect(outcome(await patch(id, { note: "late" }))).toEqual([409, "This note is archived. Unarchive it before you change it"]);
  expect((await unarchive(id, otherToken)).json["data"]).toMatchObject({ isArchived: false, firstName: "Robin" });
  expect((await activities(id)).map(({ action }: { action: string }) => action)).toEqual(["POST_NOTE", "ARCHIVE_NOTE", "UNARCHIVE_NOTE"]);
  const words = await server.database.pool.query<{ words: string }>(
    "select description as words from activity where object = $1 order by id",
    [`note/${id}`],
  );
  expect(words.rows.map((row) => row.words)).toEqual([
    "A note was added to Feed Pump 1",
    "A note of Feed Pump 1 was archived",
    "A note of Feed Pump 1 was made active again",
  ]);
});

test("two people: one field has one winner, two fields have two; of 50 archivings one", async () => {
  const { id } = await created();
  expect((await patch(id, { note: "first", revision: 1 }, otherToken)).status).toBe(200);
  expect(outcome(await patch(id, { note: "second", revision: 1 }))).toEqual([
    409,
    "robin changed note of this note meanwhile. Load it again and repeat your change",
  ]);
  expect((await patch(id, { details: "mine", revision: 1 })).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 50 }, () => archive(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a note is found under its own location only", async () => {
  const { id } = await created();
  const other = await addPlace(server.database.pool);
  expect(outcome(await patch(id, { note: "x" }, token, other.locationId))).toEqual([
    404,
    "This note was not found: it may have been deleted",
  ]);
  expect(outcome(await post({}, 999_999))).toEqual([404, "This location was not found: it may have been deleted"]);
  expect((await server.call({ method: "GET", url: url(999_999), token })).status).toBe(404);
});

test("texts that would be code elsewhere come back letter for letter", async () => {
  const corpus = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}",
    "'; drop table location_note; --",
    "\u202Egnp.exe",
    "=HYPERLINK(1)",
    "%s%n",
    "__proto__",
    "👩‍🔧 泵",
  ];
  for (const text of corpus) expect(await created({ note: text, details: text })).toMatchObject({ note: text, details: text });
});

test("NOT-06 a plot gets the active notes of the node's location without their details", async () => {
  const at = await addPlace(server.database.pool);
  await addNode(server.database.pool, 31_001, at);
  await addNode(server.database.pool, 31_002);
  const canary = "canary-details-5d1";
  const first = await created({ timestamp: 1_700_000_000, details: canary }, at.locationId);
  const second = await created({ timestamp: 1_600_000_000, showInVoltagePlot: false, details: canary }, at.locationId);
  const nowhere = { showInVoltagePlot: false, showInCurrentPlot: false, showInAccumulatedAmpHoursPlot: false };
  await created({ timestamp: 1_650_000_000, ...nowhere }, at.locationId);
  const gone = await created({ timestamp: 1_660_000_000 }, at.locationId);
  await server.call({ method: "POST", url: url(at.locationId, `/${gone.id}/archive`), token });
  const ask = (serial: string, query = "") => server.call({ method: "GET", url: `/api/v2/nodes/${serial}/notes${query}`, token });
  const { json, text } = await ask("31001");
  expect(json["data"]).toEqual([
    {
      id: second.id,
      timestamp: 1_600_000_000,
      note: valid.note,
      showInVoltagePlot: false,
      showInCurrentPlot: true,
      showInAccumulatedAmpHoursPlot: true,
    },
    {
      id: first.id,
      timestamp: 1_700_000_000,
      note: valid.note,
      showInVoltagePlot: true,
      showInCurrentPlot: true,
      showInAccumulatedAmpHoursPlot: true,
    },
  ]);
  expect(text).not.toContain(canary);
  const ids = async (query: string) => ((await ask("31001", query)).json["data"] as PlotNote[]).map(({ id }) => id);
  expect(await ids("?from=1700000000")).toEqual([first.id]);
  expect(await ids("?to=1600000000")).toEqual([second.id]);
  expect(await ids("?from=1600000001&to=1699999999")).toEqual([]);
  expect((await ask("31001", "?from=x")).status).toBe(400);
  expect([(await ask("31002")).json["data"], (await ask("39999")).status]).toEqual([[], 404]);
});

test("NOT-06 a note that one plot shows, whichever it is, is given with the others", async () => {
  const at = await addPlace(server.database.pool);
  await addNode(server.database.pool, 31_006, at);
  const none = { showInVoltagePlot: false, showInCurrentPlot: false, showInAccumulatedAmpHoursPlot: false };
  const flags = Object.keys(none) as (keyof typeof none)[];
  for (const [index, flag] of flags.entries()) await created({ timestamp: 1_700_000_000 + index, ...none, [flag]: true }, at.locationId);
  const { json } = await server.call({ method: "GET", url: "/api/v2/nodes/31006/notes", token });
  expect(json["data"]).toMatchObject(flags.map((flag) => ({ ...none, [flag]: true })));
});

test("NOT-06 a plot shows the notes of the location where the node was at the time, not those of where it went", async () => {
  const [before, after] = [await addPlace(server.database.pool), await addPlace(server.database.pool)];
  await addNode(server.database.pool, 31_003, before);
  await server.database.pool.query("update node_assignment set location_id = $1 where serial_number = 31003", [after.locationId]);
  const [came, moved] = [Date.parse("2026-03-01T00:00:00Z") / 1000, Date.parse("2026-06-01T00:00:00Z") / 1000];
  await server.database.pool.query(
    `update node_placement set started_at = to_timestamp(case when ended_at is null then $2::float8 else $1::float8 end),
       ended_at = case when ended_at is not null then to_timestamp($2::float8) end where serial_number = 31003`,
    [came, moved],
  );
  const day = 86_400;
  for (const [place, note] of [
    [before, "old place"],
    [after, "new place"],
  ] as const)
    for (const [when, timestamp] of [
      ["long ago", came - day],
      ["first stay", moved - day],
      ["the move", moved],
      ["second stay", moved + day],
    ] as const)
      await created({ timestamp, note: `${note}, ${when}` }, place.locationId);
  const { json } = await server.call({ method: "GET", url: "/api/v2/nodes/31003/notes", token });
  expect((json["data"] as PlotNote[]).map(({ note }) => note)).toEqual([
    "new place, long ago",
    "old place, first stay",
    "new place, the move",
    "new place, second stay",
  ]);
  // Taken off, it still has its past, and nothing of what came after.
  await server.database.pool.query("delete from node_assignment where serial_number = 31003");
  await server.database.pool.query(
    "update node_placement set ended_at = to_timestamp($1) where serial_number = 31003 and ended_at > now() - interval '1 hour'",
    [moved + 2 * day],
  );
  await created({ timestamp: moved + 3 * day, note: "without it" }, after.locationId);
  const later = await server.call({ method: "GET", url: "/api/v2/nodes/31003/notes", token });
  expect((later.json["data"] as PlotNote[]).map(({ note }) => note)).toEqual([
    "old place, first stay",
    "new place, the move",
    "new place, second stay",
  ]);
});

test("NOT-06 a plot shows of each place the notes of when its own node was there, from a moment until another", async () => {
  const { pool } = server.database;
  const [first, second, third] = [await addPlace(pool), await addPlace(pool), await addPlace(pool)];
  const [own, other] = [10_951, 10_952];
  const at = 1_600_000_000;
  await addNode(pool, own, third);
  await addNode(pool, other, first);
  await pool.query("delete from node_placement where serial_number in (10951, 10952)");
  await pool.query(
    `insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name, started_at, ended_at)
     select s, l, 1, '', '', '', to_timestamp($1::float8 + f), to_timestamp($1 + t) from
       (values (10951, $2::int4, 0, 100), (10951, $3, 100, 200), (10951, $4, 300, null), (10952, $3, 0, 100), (10952, $2, 100, null)) v (s, l, f, t)`,
    [at, first.locationId, second.locationId, third.locationId],
  );
  const add = (where: TestPlace, ago: number, columns = "false, true, true, true") =>
    pool.query(
      `insert into location_note (location_id, ts, note, is_archived, show_in_voltage_plot, show_in_current_plot, show_in_accumulated_amp_hours_plot)
       values ($1, to_timestamp($2), $3, ${columns})`,
      [where.locationId, at + ago, String(ago)],
    );
  for (const ago of [-1, 0, 99, 100, 250, 300]) for (const where of [first, second, third]) await add(where, ago);
  await add(first, 50, "true, true, true, true");
  await add(first, 51, "false, false, false, false");
  for (const [ago, columns] of [
    [60, "false, true, false, false"],
    [61, "false, false, true, false"],
    [62, "false, false, false, true"],
  ] as const)
    await add(first, ago, columns);
  const readModel = createPlotNotesReadModel(pool);
  const shown = async (serial: number, from?: number, to?: number) =>
    (await readModel.find(serial, { from: from === undefined ? undefined : at + from, to: to === undefined ? undefined : at + to }))?.map(
      ({ note }) => note,
    );
  // Where nothing is known of its places the present one counts.
  expect(await shown(own)).toEqual(["-1", "0", "60", "61", "62", "99", "100", "250", "300"]);
  expect([await shown(own, 60, 100), await shown(own, 100.5, 299), await shown(8_888)]).toEqual([
    ["60", "61", "62", "99", "100"],
    ["250"],
    undefined,
  ]);
  const { rows } = await pool.query<{ id: number }>("select id from location_note where location_id = $1 and ts = to_timestamp($2)", [
    first.locationId,
    at,
  ]);
  expect((await readModel.find(own, { from: at, to: at }))?.map(({ id }) => id)).toEqual([rows[0]!.id]);
});
