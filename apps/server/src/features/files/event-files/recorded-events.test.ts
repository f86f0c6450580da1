import { eventNameOf, type EventWithFiles, type RecordedEvent } from "@busbar/contract/files/recorded-events.ts";
import { readPicture } from "@busbar/contract/files/event-picture.ts";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolderFileStore } from "#lib/file-store.ts";
import { sampleCev, sampleEve, samplePair } from "#testing/sample-events.ts";
import { nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createEventFileParserStore } from "./event-file-parser.store.ts";
import { createEventFileParser } from "./event-file-parser.task.ts";
import { createEventReader } from "./event-reader.ts";
import { createRecordedEventsReadModel, type EventFilter } from "./recorded-events.read-model.ts";
import { createRecordedEventsStore } from "./recorded-events.store.ts";

let server: TestApp;
const tokens = { staff: "", demo: "" };
let serial = 36_000;
let place: TestPlace;
/** 23:40 in Chicago, 11:10 of the next day in Kolkata. */
const night = Date.UTC(2026, 10, 22, 5, 40) / 1000;

beforeAll(async () => {
  server = await createTestApp();
  tokens.staff = await server.login(await server.addAdministrator("staff", []));
  tokens.demo = await server.login(await server.addAdministrator("demo", []));
  await server.database.pool.query("update app_user set demo_user = true where username = 'demo'");
  server.clock.advance(2);
});
afterAll(() => server.stop());

/** A relay at a place of its own. */
async function relay(at?: TestPlace): Promise<number> {
  place = at ?? (await addPlace(server.database.pool));
  await addNode(server.database.pool, ++serial, place, { type: "SEL" });
  return serial;
}

async function upload(own: number, at: number, extension: string, content: string | Uint8Array, number = 1): Promise<string> {
  const name = nameOf(own, at, "E", extension, number);
  await storeFile(server, name, content, { source: "upload" });
  return name;
}

async function parse(): Promise<void> {
  const { pool } = server.database;
  await createEventFileParser({
    pool,
    store: createEventFileParserStore(pool),
    events: createRecordedEventsStore(pool),
    read: createEventReader(createFolderFileStore(`${server.dataDir}/files`), server.context.log),
    clock: server.clock,
    notify: async () => undefined,
  }).run(new AbortController().signal);
}

const get = (path: string, as: keyof typeof tokens = "staff") =>
  server.call({ method: "GET", url: `/api/events${path}`, token: tokens[as] });
async function list(query: string, as?: keyof typeof tokens): Promise<RecordedEvent[]> {
  const { status, json, text } = await get(`?limit=500&${query}`, as);
  expect(`${status} ${status === 200 ? "" : text}`).toBe("200 ");
  return json["data"] as RecordedEvent[];
}
async function open(name: string, query = ""): Promise<EventWithFiles> {
  const { status, json } = await get(`/${name}${query}`);
  expect(status).toBe(200);
  return json["data"] as EventWithFiles;
}
const anyEvent: EventFilter = {
  serial: undefined,
  location: undefined,
  facility: undefined,
  customer: undefined,
  locations: undefined,
  kind: undefined,
  status: undefined,
  amperes: undefined,
  times: undefined,
};
const names = (events: readonly RecordedEvent[]) => events.map(({ eventName }) => eventName);

test("the files of one recording are one row: what the gravest says, largest current, lowest voltage, duration and a picture", async () => {
  const own = await relay();
  await upload(own, night, "eve", sampleEve);
  const cev = await upload(own, night, "cev", sampleCev());
  const other = await upload(own, night, "cev", sampleCev({ event: "ER", targets: "", word: "40" }), 2);
  expect((await list(`node=${own}`)).map(({ status, eventKind }) => [status, eventKind])).toEqual([
    ["pending", null],
    ["pending", null],
  ]);
  await parse();
  const [second, first, ...rest] = await list(`node=${own}`);
  expect(rest).toEqual([]);
  expect([second?.eventName, second?.eventKind]).toEqual([eventNameOf(other), "event"]);
  expect(first).toMatchObject({
    eventName: eventNameOf(cev),
    serialNumber: String(own),
    timestamp: night,
    timezone: "America/Chicago",
    customerId: place.customerId,
    facilityId: place.facilityId,
    locationId: place.locationId,
    locationName: "Feed Pump 1",
    eventKind: "trip",
    words: "AG T, 51",
    status: "read",
    reason: null,
    // A sine of 900 A in IA and IB, and 480 V in VAB.
    largestCurrent: { value: expect.closeTo(900 / Math.SQRT2, 0), phase: "A" },
    lowestVoltage: { value: expect.closeTo(480 / Math.SQRT2, 0), phase: "A-B" },
    durationSeconds: expect.closeTo(63 / 960, 5),
  });
  const [ia, ib, ic, vab] = readPicture(first!.picture!);
  expect([ia?.length, ia?.[50]?.high, ib?.[50]?.low, ic?.[50], vab?.some((column) => column?.high === 1)]).toEqual([
    64,
    expect.any(Number),
    expect.any(Number),
    null,
    true,
  ]);
  expect(Math.max(...ia!.map((column) => column!.high))).toBe(1);

  const opened = await open(eventNameOf(cev), `?node=${own}`);
  expect(opened).toMatchObject({
    waveformFileName: cev,
    files: [
      { fileName: cev, processed: true },
      { fileName: nameOf(own, night, "E", "eve"), processed: true },
    ],
    earlierEventName: null,
    laterEventName: eventNameOf(other),
  });
});

test("A-63 events of one moment have an order, in which a list goes on and each has its neighbours", async () => {
  const { pool } = server.database;
  const [at, beside] = [await addPlace(pool), await addPlace(pool)];
  await pool.query("update location set facility_id = $1 where id = $2", [at.facilityId, beside.locationId]);
  const [first, second] = [await relay(at), await relay(beside)];
  const moment = (at: number) => [first, second].flatMap((own) => [1, 2].map((number) => [own, at, number] as const));
  const ascending = [...moment(night), ...moment(night + 1)];
  // One moment's come in their order, the other's against it.
  for (const [own, time, number] of [...ascending.slice(0, 4), ...ascending.slice(4).toReversed()])
    await upload(own, time, "eve", sampleEve, number);
  const keys = ascending.map(([serial, timestamp, number]) => ({ serial, timestamp, number }));
  const ordered = keys.map(({ serial, timestamp, number }) => eventNameOf(nameOf(serial, timestamp, "E", "eve", number)));
  const newest = ordered.toReversed();
  // An index has an order of its own.
  const client = await pool.connect();
  await client.query("set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off");
  const readModel = createRecordedEventsReadModel(client as unknown as Pool);
  const filter = { ...anyEvent, facility: at.facilityId };
  try {
    expect(names(await readModel.list(filter, undefined, 9))).toEqual(newest);
    for (const [index, key] of keys.entries()) {
      expect(names(await readModel.list(filter, ordered[index], 9))).toEqual(ordered.slice(0, index).toReversed());
      expect([await readModel.neighbour(filter, key, "earlier"), await readModel.neighbour(filter, key, "later")]).toEqual([
        ordered[index - 1] ?? null,
        ordered[index + 1] ?? null,
      ]);
    }
    const locations = [at.locationId, beside.locationId];
    expect(names(await readModel.list({ ...filter, locations }, undefined, 3))).toEqual(newest.slice(0, 3));
  } finally {
    client.release(true);
  }
});

test("a configuration without its data waits for it, fails alone, and is whole when the data come", async () => {
  const own = await relay();
  const cfg = await upload(own, night, "cfg", samplePair.cfg());
  const row = async () =>
    (await list(`node=${own}`)).map(({ status, reason, eventKind, largestCurrent }) => ({ status, reason, eventKind, largestCurrent }));
  const dat = cfg.replace(/cfg$/, "dat");
  expect(await row()).toEqual([{ status: "incomplete", reason: `Waits for ${dat}`, eventKind: null, largestCurrent: null }]);
  server.clock.advance(601);
  await parse();
  expect(await row()).toEqual([
    { status: "failed", reason: `The file ${dat} with the data is missing`, eventKind: "event", largestCurrent: null },
  ]);
  await upload(own, night, "dat", samplePair.ascii());
  await parse();
  expect(await row()).toEqual([
    { status: "read", reason: null, eventKind: "trip", largestCurrent: { value: expect.any(Number), phase: "B" } },
  ]);
  expect((await open(eventNameOf(cfg))).waveformFileName).toBe(cfg);

  // Other bytes under the name take the figures away until they are read, and a hostile file leaves a reason.
  await upload(own, night, "cfg", "\0");
  await parse();
  expect((await row())[0]).toMatchObject({ status: "failed", reason: expect.stringContaining("NUL"), largestCurrent: null });
  await server.database.pool.query("delete from data_file where serial_number = $1", [own]);
  expect(await row()).toEqual([]);
});

test("an event is where the node was at that time, a day ahead or before its first stay too, and at no place between two stays", async () => {
  const { pool } = server.database;
  const other = await addPlace(pool, "Asia/Kolkata", "Brack Mills");
  const own = await relay();
  await pool.query(`update node_placement set started_at = to_timestamp($2), ended_at = to_timestamp($2 + 100) where serial_number = $1`, [
    own,
    night,
  ]);
  await pool.query("update node_assignment set location_id = $2 where serial_number = $1", [own, other.locationId]);
  await pool.query("update node_placement set started_at = to_timestamp($2 + 200) where serial_number = $1 and ended_at is null", [
    own,
    night,
  ]);
  for (const [at, number] of [
    [night - 9, 1],
    [night + 50, 2],
    [night + 150, 3],
    [night + 250, 4],
    [night + 86_400 * 400, 5],
  ] as const)
    await upload(own, at, "cev", sampleCev(), number);
  expect((await list(`node=${own}`)).map(({ customerName, timezone }) => [customerName, timezone])).toEqual([
    ["Brack Mills", "Asia/Kolkata"],
    ["Brack Mills", "Asia/Kolkata"],
    ["", null],
    ["Alder Pumping", "America/Chicago"],
    ["Alder Pumping", "America/Chicago"],
  ]);
  expect(await list(`customer=${other.customerId}`)).toHaveLength(2);
  expect(await list(`facility=${other.facilityId}&location=${other.locationId}`)).toHaveLength(2);
  // A place has its present name.
  await pool.query("update customer set name = 'Brack Paper' where id = $1", [other.customerId]);
  await pool.query("update facility set name = 'Rolling Hall' where id = $1", [other.facilityId]);
  await pool.query("update location set name = 'Press 1' where id = $1", [other.locationId]);
  expect((await list(`location=${other.locationId}`))[0]).toMatchObject({
    customerName: "Brack Paper",
    facilityName: "Rolling Hall",
    locationName: "Press 1",
  });
});

test("events are found by words of the place, kind, size and local time, page by page", async () => {
  const { pool } = server.database;
  const [here, there] = [await addPlace(pool, "America/Chicago", "Quill Paper"), await addPlace(pool, "Asia/Kolkata", "Quill Steel")];
  await pool.query("update location set name = 'Kiln 50% Fan' where id = $1", [here.locationId]);
  const [near, far] = [await relay(here), await relay(there)];
  const trip = eventNameOf(await upload(near, night, "cev", sampleCev()));
  const recording = eventNameOf(await upload(far, night, "cev", sampleCev({ event: "ER", targets: "", word: "40" })));
  const hostile = eventNameOf(await upload(far, night + 1, "cev", "nothing of the kind"));
  await parse();
  const both = [hostile, recording, trip];
  expect(names(await list("text=quill"))).toEqual(both);
  expect(names(await list("text=KILN%2050%25%20quill"))).toEqual([trip]);
  expect(names(await list(`text=${near}`))).toEqual([trip]);
  expect(names(await list("text=quill&kind=trip"))).toEqual([trip]);
  expect(names(await list("text=quill&status=failed"))).toEqual([hostile]);
  expect(names(await list("text=quill&amperes=700"))).toEqual([]);
  const { rows: largest } = await server.database.pool.query<{ amperes: number }>(
    "update recorded_event set largest_current = floor(largest_current) where serial_number = $1 returning largest_current::float8 as amperes",
    [far],
  );
  const { amperes } = largest.find((row) => row.amperes > 0)!;
  expect(names(await list(`text=quill&amperes=${amperes}&kind=event`))).toEqual([recording]);
  expect(names(await list(`text=quill&amperes=${amperes + 1}&kind=event`))).toEqual([]);
  expect(names(await list("text=quill&amperes=600&kind=event"))).toEqual([recording]);
  // By the clocks of the place it is the 21st here and the 22nd there.
  expect(names(await list("text=quill&from=2026-11-21&to=2026-11-21"))).toEqual([trip]);
  expect(names(await list("text=quill&from=2026-11-22"))).toEqual([hostile, recording]);
  const pages: string[] = [];
  for (let before = ""; ;) {
    const { json } = await get(`?text=quill&limit=1${before}`);
    const [event] = json["data"] as RecordedEvent[];
    if (!event) break;
    pages.push(event.eventName);
    before = `&before=${event.eventName}`;
  }
  expect(pages).toEqual(both);
  expect(await open(recording, "?text=quill")).toMatchObject({ earlierEventName: trip, laterEventName: hostile });
  expect(await open(recording, "?text=quill&kind=trip")).toMatchObject({ earlierEventName: trip, laterEventName: null });
});

test("what was read before there were rows is read again, a part of it in each run, and a row follows every file", async () => {
  const own = await relay();
  const { pool } = server.database;
  for (const number of [1, 2]) await upload(own, night, "cev", sampleCev(), number);
  const cfg = await upload(own, night, "cfg", samplePair.cfg(), 3);
  await upload(own, night, "dat", samplePair.ascii(), 3);
  await parse();
  // As the migration leaves them.
  await pool.query(
    `update recorded_event set is_unmeasured = true, kind = null, words = '', waveform_file = null, largest_current = null, picture = null
     where serial_number = $1`,
    [own],
  );
  // What waits to be read for the first time is read in its turn.
  await pool.query("update data_file set processed = null where serial_number = $1 and part = '0002.cev'", [own]);
  const waiting = await createRecordedEventsStore(pool).filesOf({ serial: own, timestamp: night, number: 2 });
  expect(waiting).toEqual([]);
  await pool.query("update data_file set processed = true where serial_number = $1", [own]);
  await parse();
  expect((await list(`node=${own}`)).map(({ eventKind, largestCurrent }) => [eventKind, largestCurrent?.phase])).toEqual([
    ["trip", "B"],
    ["trip", "A"],
    ["trip", "A"],
  ]);
  expect((await open(eventNameOf(cfg))).waveformFileName).toBe(cfg);
  const left = await pool.query("select from recorded_event where is_unmeasured");
  expect(left.rowCount).toBe(0);
});

test("an event that is forgotten while another file of it comes stays", async () => {
  const own = await relay();
  const first = await upload(own, night, "eve", sampleEve);
  const { pool } = server.database;
  const going = await pool.connect();
  try {
    // As far as a transaction gets that deletes the last file.
    await going.query("begin");
    await going.query("select from recorded_event where serial_number = $1 for update", [own]);
    const coming = pool.query("select refresh_recorded_event($1, to_timestamp($2), 1::int2)", [own, night]);
    await expect
      .poll(() => pool.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
      .toMatchObject({ rowCount: 1 });
    await going.query("delete from recorded_event where serial_number = $1", [own]);
    await going.query("commit");
    await coming;
  } finally {
    going.release();
  }
  expect(names(await list(`node=${own}`))).toEqual([eventNameOf(first)]);
});

test("USR-11 a demo user sees figures and other names, and searches by those", async () => {
  const own = await relay();
  await upload(own, night, "cev", sampleCev());
  await parse();
  const [event] = await list(`node=${own}`, "demo");
  expect(event).toMatchObject({ eventKind: "trip", words: "hidden from demo users", largestCurrent: { phase: "A" } });
  expect(event?.customerName).toMatch(/^Customer [a-z]{6}$/);
  expect(event?.picture).not.toContain("hidden");
  expect(names(await list(`node=${own}&text=${event!.customerName.slice(9)}`, "demo"))).toEqual([event!.eventName]);
  expect(await list(`node=${own}&text=alder`, "demo")).toEqual([]);
});

test.each([
  ["?kind=x", 400],
  ["?amperes=-1", 400],
  ["?from=2026-02-30", 400],
  ["?from=2026-02-03&to=2026-02-02", 400],
  ["?before=x", 400],
  ["?limit=0", 400],
  ["?text=", 400],
  ["/36001_20261122T054000Z_D0900", 400],
  ["/39999_20261122T054000Z_E0001", 404],
])("%s is refused", async (path, status) => {
  expect((await get(path)).status).toBe(status);
});

test("no one without a session reads events", async () => {
  expect((await server.call({ method: "GET", url: "/api/events" })).status).toBe(401);
});
