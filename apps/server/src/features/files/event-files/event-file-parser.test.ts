import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createFolderFileStore, type FileStore } from "#lib/file-store.ts";
import { nameOf } from "#testing/sample-files.ts";
import { sampleCev, sampleEve, samplePair } from "#testing/sample-events.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createExtractionNotices } from "#features/alarms/fleet-notices/extraction-notices.ts";
import { createEventFileParserStore } from "./event-file-parser.store.ts";
import { createEventFileParser, type EventFileParserDependencies } from "./event-file-parser.task.ts";
import { createEventReader, type EventReader } from "./event-reader.ts";
import { createRecordedEventsStore } from "./recorded-events.store.ts";

const signal = new AbortController().signal;
let server: TestApp;
let fileStore: FileStore;
let read: EventReader;
let place: TestPlace;
let serial = 35_000;
let at: number;

beforeAll(async () => {
  server = await createTestApp();
  fileStore = createFolderFileStore(`${server.dataDir}/files`);
  read = createEventReader(fileStore, server.context.log);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query(
    "truncate data_file, notification, notification_subject, node_event, service_set_aside; delete from app_user",
  );
  place = await addPlace(server.database.pool);
  await addNode(server.database.pool, ++serial, place, { type: "SEL" });
  await server.addUser(`owner${serial}`, place.customerId, { auto_subscribe_all_facilities: true });
  at = Math.floor(server.clock.now() / 1000) - 60;
});

/** Stores a file as an upload does. */
async function store(extension: string, content: string | Uint8Array, { own = serial, number = 1, receivedAt = server.clock.now() } = {}) {
  const name = nameOf(own, at, "E", extension, number);
  await storeFile(server, name, content, { receivedAtMs: receivedAt, source: "upload" });
  return name;
}

function parser(change: Partial<EventFileParserDependencies> = {}) {
  const { pool } = server.database;
  const { clock, context } = server;
  const notify: EventFileParserDependencies["notify"] = (client, faults) => context.faultNotices.notify(client, faults);
  return createEventFileParser({
    pool,
    store: createEventFileParserStore(pool),
    events: createRecordedEventsStore(pool),
    read,
    clock,
    notify,
    ...change,
  });
}
const parse = (change?: Partial<EventFileParserDependencies>) => parser(change).run(signal);
const parsedCount = async () => {
  const result = await parse();
  return typeof result === "number" ? result : result.processedCount;
};

const stateOf = async (name: string) =>
  (await server.database.pool.query("select processed, failed_reason as reason from data_file where file_name = $1", [name])).rows[0];
const events = async (own = serial) =>
  (
    await server.database.pool.query<{ kind: string; body: Record<string, string>; ms: number }>(
      "select kind, body, ((extract(epoch from ts) - $2::int8) * 1000)::float8 as ms from node_event where serial_number = $1 order by ts",
      [own, at],
    )
  ).rows;
const eventCount = async (own = serial) =>
  (await server.database.pool.query("select event_count as count from node_live where serial_number = $1", [own])).rows[0].count as number;
const outbox = async () =>
  (
    await server.database.pool.query<{ kind: string; subject: string; body: string; to: string[]; reason: string | null }>(
      `select kind, subject, body, recipients_to as "to", sent_failed_reason as reason from notification order by id`,
    )
  ).rows;
const kinds = async () => [(await events()).map(({ kind }) => kind), (await outbox()).map(({ kind }) => kind)];

describe("what the file says becomes the event and the notice", () => {
  test("a trip: node event with type and trigger, counted once, and the mail of its flag", async () => {
    const name = await store("cev", sampleCev());
    expect(await parsedCount()).toBe(1);
    expect(await stateOf(name)).toEqual({ processed: true, reason: null });
    expect(await events()).toEqual([
      {
        kind: "relayTrip",
        ms: 1,
        body: expect.objectContaining({ fileName: name, Event: "AG T", Targets: "TRIP 51P", triggeredAt: "2024-03-08 09:05:07.042000" }),
      },
    ]);
    expect(await eventCount()).toBe(1);
    const [mail, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: "FAULT_relayTrip",
      subject: `[Development] Relay trip: Feed Pump 1, North Works (${serial})`,
      to: [`owner${serial}@customer.example`],
    });
    expect(mail!.body).toContain(
      `Event: AG T\nTargets: TRIP 51P\nTrigger, by the relay's own clock: 2024-03-08 09:05:07.042000\nFile: ${name}`,
    );
    expect(await parsedCount()).toBe(0);
  });

  test.each<[string, string, string]>([
    ["a trip by its digital channel alone", sampleCev({ event: "ER", targets: "", word: "C0" }), "relayTrip"],
    ["an alarm by its digital channel", sampleCev({ event: "ER", targets: "", word: "60" }), "relayAlarm"],
    ["a self-test failure by its words", sampleCev({ event: "SELF-TEST FAIL", targets: "", word: "40" }), "relayAlarm"],
    ["a recording of another kind", sampleCev({ event: "ER", targets: "51P", word: "50" }), "RELAY_EVENT"],
    ["a trip in progress that does not begin in the record", sampleCev({ event: "PULSE", targets: "", word: "40" }), "RELAY_EVENT"],
  ])("%s", async (_what, content, kind) => {
    await store("cev", content);
    await parse();
    expect(await kinds()).toEqual([[kind], [kind === "RELAY_EVENT" ? kind : `FAULT_${kind}`]]);
  });

  test("the location's flag decides on trips and alarms, a relay event has none; pause and deployment issue hold back", async () => {
    const { pool } = server.database;
    await pool.query(`update location set fault_library_alert_flags = '{"relayTrip":false}' where id = $1`, [place.locationId]);
    await store("cev", sampleCev());
    await store("cev", sampleCev({ event: "ER", targets: "", word: "40" }), { number: 2 });
    await parse();
    expect(await kinds()).toEqual([["relayTrip", "RELAY_EVENT"], ["RELAY_EVENT"]]);
    await pool.query("update node set pause_notifications = true where serial_number = $1", [serial]);
    await store("cev", sampleCev({ event: "ER", targets: "", word: "40" }), { number: 3 });
    await parse();
    expect((await outbox()).map(({ reason }) => reason)).toEqual([null, "Paused: notifications of this node are paused"]);
  });

  test("files of one name are one event, which becomes what the most significant one says; two numbers are two events", async () => {
    await store("cev", sampleCev({ event: "ER", targets: "", word: "40" }));
    await parse();
    await store("eve", sampleEve);
    await parse();
    await store("txt", "1, Jan 14 2024 15:32:01, ALARM\n");
    await parse();
    expect(await kinds()).toEqual([["relayTrip"], ["RELAY_EVENT", "FAULT_relayTrip"]]);
    expect(await eventCount()).toBe(1);
    await store("cev", sampleCev(), { number: 2 });
    await parse();
    expect((await events()).map(({ ms }) => ms)).toEqual([1, 2]);
    expect(await eventCount()).toBe(2);
  });

  test("what a file leaves open is not in its event", async () => {
    const name = await store("txt", "#VDF=2\n#kind=E\n");
    await parse();
    expect((await events()).map(({ body }) => body)).toEqual([{ fileName: name, VDF: "2", kind: "E" }]);
  });

  test("an event that the node reported itself is not counted again", async () => {
    const name = nameOf(serial, at, "E", "cev");
    await server.database.pool.query("insert into node_event values ($1, to_timestamp($2), 'PQ', $3)", [
      serial,
      at - 3,
      JSON.stringify({ fileName: name }),
    ]);
    await store("cev", sampleCev());
    await parse();
    expect([await kinds(), await eventCount(), await stateOf(name)]).toEqual([[["PQ"], []], 0, { processed: true, reason: null }]);
  });

  test("an ordinary node's event file is an event and no notice; no one is notified of what waited for a day", async () => {
    await addNode(server.database.pool, ++serial, await addPlace(server.database.pool));
    await store("txt", "#VDF=2\n#kind=E\n");
    await parse();
    expect(await kinds()).toEqual([["EVENT_FILE"], []]);
    await addNode(server.database.pool, ++serial, await addPlace(server.database.pool), { type: "GERelay" });
    await store("cev", sampleCev(), { receivedAt: server.clock.now() - 90_000_000 });
    await parse();
    expect(await kinds()).toEqual([["relayTrip"], []]);
  });
});

describe("pairs", () => {
  test("one of a pair waits for the other; then both are done at once, and the record is one event", async () => {
    const cfg = await store("cfg", samplePair.cfg());
    expect(await parsedCount()).toBe(0);
    const dat = await store("dat", samplePair.ascii());
    await parse();
    expect([await stateOf(cfg), await stateOf(dat)]).toEqual(Array.from({ length: 2 }, () => ({ processed: true, reason: null })));
    const [event] = await events();
    expect([await kinds(), await eventCount(), event!.body["fileName"]]).toEqual([[["relayTrip"], ["FAULT_relayTrip"]], 1, cfg]);
  });

  test("A-62 one that waits for the other says so, and is nothing that waits once the other is there", async () => {
    const waiting = async () => (await server.database.pool.query("select item, reason, tries, fault from service_set_aside")).rows;
    const cfg = await store("cfg", samplePair.cfg());
    await parse();
    const reason = `Waits for ${cfg.replace(/cfg$/, "dat")}`;
    expect(await waiting()).toEqual([{ item: expect.stringContaining(`${cfg} `), reason, tries: 0, fault: "none" }]);
    await store("dat", samplePair.ascii());
    await parse();
    expect(await waiting()).toEqual([]);
  });

  test("the data may come first; after ten minutes one alone fails, and is an event when it says whose it is", async () => {
    const dat = await store("dat", samplePair.ascii());
    const cfg = await store("cfg", samplePair.cfg(), { number: 2 });
    expect(await parsedCount()).toBe(0);
    server.clock.advance(599);
    expect(await parsedCount()).toBe(0);
    server.clock.advance(2);
    expect(await parsedCount()).toBe(2);
    expect(await stateOf(dat)).toEqual({
      processed: false,
      reason: `The file ${dat.replace(/dat$/, "cfg")} with the configuration is missing`,
    });
    expect(await stateOf(cfg)).toEqual({ processed: false, reason: `The file ${cfg.replace(/cfg$/, "dat")} with the data is missing` });
    expect(await kinds()).toEqual([["RELAY_EVENT"], ["RELAY_EVENT"]]);
    expect((await outbox())[0]!.body).toContain("The file cannot be read as a whole: The file ");
    // The other one comes after all.
    await store("dat", samplePair.ascii(), { number: 2 });
    await parse();
    expect([await stateOf(cfg), (await kinds())[0], await eventCount()]).toEqual([{ processed: true, reason: null }, ["relayTrip"], 1]);
  });

  test("other bytes of one of a pair are parsed again with the other", async () => {
    const cfg = await store("cfg", samplePair.cfg());
    const dat = await store("dat", "1,0,1,2,3,0,0\n");
    await parse();
    expect(await stateOf(cfg)).toEqual({ processed: false, reason: "DAT: 1 of 8 rows" });
    await store("dat", samplePair.ascii());
    await parse();
    expect([await stateOf(cfg), await stateOf(dat)]).toEqual(Array.from({ length: 2 }, () => ({ processed: true, reason: null })));
    expect(await eventCount()).toBe(1);
  });
});

describe("whatever happens meanwhile", () => {
  test("other bytes are parsed again: the same event, no second message", async () => {
    const name = await store("cev", sampleCev());
    await parse();
    await store("cev", sampleCev({ cycles: 8 }));
    expect(await stateOf(name)).toEqual({ processed: null, reason: null });
    await parse();
    expect([await kinds(), await eventCount()]).toEqual([[["relayTrip"], ["FAULT_relayTrip"]], 1]);
    await store("cev", "spoiled");
    await parse();
    expect(await stateOf(name)).toEqual({ processed: false, reason: "CEV: no line of compressed ASCII" });
  });

  test("requested again by a call, it is parsed again", async () => {
    const name = await store("cev", sampleCev());
    await parse();
    const token = await server.login(await server.addAdministrator(`again${serial}`));
    const { status } = await server.call({ method: "POST", url: `/api/node-dashboard/files/${name}/extraction`, token });
    expect([status, await stateOf(name)]).toEqual([200, { processed: null, reason: null }]);
    expect(await parsedCount()).toBe(1);
    expect([await stateOf(name), await eventCount()]).toEqual([{ processed: true, reason: null }, 1]);
  });

  test("a failure while it is written leaves nothing half done, and the file waits", async () => {
    const name = await store("cev", sampleCev());
    const broken = await parse({ notify: () => Promise.reject(new Error("no mail today")) });
    expect(broken).toMatchObject({ processedCount: 0, logEntry: expect.stringContaining(`1 set aside: file ${name} `) });
    expect(broken).toMatchObject({ logEntry: expect.stringContaining("(no mail today; next try ") });
    expect([await stateOf(name), await kinds(), await eventCount()]).toEqual([{ processed: null, reason: null }, [[], []], 0]);
    server.clock.advance(61);
    await parse();
    expect(await kinds()).toEqual([["relayTrip"], ["FAULT_relayTrip"]]);
  });

  test("bytes that are replaced while the old ones are read stay pending", async () => {
    const name = await store("cev", sampleCev());
    await parse({
      read: async (...question) => {
        const parsed = await read(...question);
        await store("cev", sampleCev({ event: "ER", targets: "", word: "40" }));
        return parsed;
      },
    });
    expect([await stateOf(name), await kinds()]).toEqual([{ processed: null, reason: null }, [[], []]]);
    // Nor is its pair done with it.
    const { pool } = server.database;
    const events = createEventFileParserStore(pool);
    await store("cfg", samplePair.cfg(), { number: 2 });
    const data = await store("dat", samplePair.ascii(), { number: 2 });
    const file = (await events.findPending(9, null)).find(({ fileName }) => fileName.endsWith("cfg"))!;
    const partner = await events.findPartner(file);
    await store("cfg", Buffer.concat([samplePair.cfg(), Buffer.from("\r\n")]), { number: 2 });
    expect([partner?.fileName, await inTransaction(pool, (client) => events.finish(client, file, partner, null, 0))]).toEqual([
      data,
      false,
    ]);
    expect(await stateOf(data)).toEqual({ processed: null, reason: null });
  });

  test("of more files than are read at once those are read that came first", async () => {
    for (const [number, hours] of [2, 0, 3, 1].entries())
      await store("cev", "x", { number, receivedAt: server.clock.now() - hours * 3_600_000 });
    const found = await createEventFileParserStore(server.database.pool).findPending(2, null);
    expect(found.map(({ part }) => part).toSorted()).toEqual(["0000.cev", "0002.cev"]);
  });

  test("two runs at once make one event and one message", async () => {
    await store("cev", sampleCev());
    await Promise.all([parse(), parse()]);
    expect([await kinds(), await eventCount()]).toEqual([[["relayTrip"], ["FAULT_relayTrip"]], 1]);
  });

  test.each([1, 60])("%d files that fail for a time do not keep the others waiting", async (count) => {
    for (let number = 1; number <= count; number++) await store("cev", sampleCev(), { number });
    const fine = await store("cev", sampleCev(), { number: count + 1, receivedAt: server.clock.now() + 1 });
    const diskError = () => Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    const failing = await parse({
      read: (file, ...rest) => (file.fileName === fine ? read(file, ...rest) : Promise.reject(diskError())),
    });
    expect(failing).toMatchObject({ processedCount: 1, hasFailed: true, logEntry: expect.stringContaining(`${count} set aside: `) });
    expect(await stateOf(fine)).toEqual({ processed: true, reason: null });
  });

  test("a retired or unknown node's file fails and is no event; bytes that are gone fail this file", async () => {
    const gone = await store("cev", sampleCev({ fid: "SEL-GONE" }), { number: 7 });
    const { rows } = await server.database.pool.query<{ hash: Buffer }>("select content_hash as hash from data_file where file_name = $1", [
      gone,
    ]);
    await fileStore.removeIdle(rows[0]!.hash, Infinity);
    await addNode(server.database.pool, ++serial, undefined, { type: "SEL", current_deployment_status: "Decommissioned" });
    const retired = await store("cev", sampleCev());
    const unknown = await store("cev", sampleCev(), { own: 39_997 });
    await parse();
    expect(await stateOf(gone)).toEqual({ processed: false, reason: "The stored bytes are gone" });
    expect(await stateOf(retired)).toEqual({ processed: false, reason: "Node is decommissioned" });
    expect(await stateOf(unknown)).toEqual({ processed: false, reason: "Unknown node 39997" });
    expect((await server.database.pool.query("select from node_event")).rowCount).toBe(0);
  });

  test("what a file says goes into database and mail without control characters", async () => {
    await store("cev", sampleCev({ event: "A\u0000G\u001b[31m\u202E T", targets: "TRIP\u0007" }));
    await parse();
    // The NUL makes it Failed, and still an event.
    expect((await events())[0]!.body["Event"]).toBe("AG[31m T");
    const body = (await outbox())[0]!.body;
    for (const control of ["\u0000", "\u0007", "\u001b", "\u202E"]) expect(body).not.toContain(control);
  });

  test("a gzip bomb fails by its size", async () => {
    const name = await store("cev", Buffer.alloc(30 * 1024 * 1024));
    await parse();
    expect(await stateOf(name)).toEqual({ processed: false, reason: `File too large (${30 * 1024 * 1024} bytes)` });
  });
});

test("event files that fail again and again are reported inside like others", async () => {
  const notifyFailures = createExtractionNotices(server.context.fleetNotices);
  for (let number = 1; number <= 3; number++) await store("cev", "no event at all", { number });
  await parse({ notifyFailures });
  expect((await outbox()).filter(({ kind }) => kind === "FILE_EXTRACTION_FAILED")).toEqual([]);
  for (let number = 4; number <= 6; number++) await store("cev", "no event at all", { number });
  await parse({ notifyFailures });
  const notices = (await outbox()).filter(({ kind }) => kind === "FILE_EXTRACTION_FAILED");
  expect(notices.map(({ subject }) => subject)).toEqual([`[Development] File extraction failed: Feed Pump 1, North Works (${serial})`]);
});
