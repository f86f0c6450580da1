import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createSecondSeriesReader } from "#features/files/file-extraction/second-series.reader.ts";
import { createFolderFileStore, type FileStore } from "#lib/file-store.ts";
import type { Task } from "#services/service.ts";
import { dataPoint, lastQuarter, nameOf, oneSecondLines } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import type { DataPointReview } from "#features/alarms/data-point-alerts/data-point-alerts.service.ts";
import { createAlarmsStore } from "./alarms.store.ts";
import { createDataAnalysisStore } from "./data-analysis.store.ts";
import { createDataAnalysis, type DataAnalysisOptions } from "./data-analysis.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let fileStore: FileStore;
let extraction: Task;
let analysis: Task;
let place: TestPlace;
let token: string | undefined;
let serial = 33_000;
let at: number;

beforeAll(async () => {
  server = await createTestApp();
  fileStore = createFolderFileStore(`${server.dataDir}/files`);
  const { pool } = server.database;
  extraction = createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: server.clock });
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query("delete from notification; delete from data_file; delete from sensor_data; delete from node_event; delete from node");
  place = await addPlace(pool);
  await addMonitored(++serial);
  // Everything is subscribed to, so that a message for each alarm is seen.
  await pool.query("update location set fault_library_alert_flags = $1", [
    { voltageThd: true, currentThd: true, frequentStarts: true, longStart: true, harmonicSignature: true },
  ]);
  analysis = newTask();
  // Half a minute after the end of an interval.
  at = lastQuarter(0, server.clock.now());
  server.clock.advance(at + 930 - server.clock.now() / 1_000);
});

/** What another process would run. */
function newTask(change: Partial<DataAnalysisOptions> = {}): Task {
  const { clock, context, database } = server;
  return createDataAnalysis({
    pool: database.pool,
    store: createDataAnalysisStore(database.pool),
    alarms: createAlarmsStore(database.pool),
    clock,
    limits: context.alarmLimits,
    readSeconds: createSecondSeriesReader(fileStore),
    notify: (client, raised) => context.faultNotices.notify(client, raised),
    reviewDataPoints: context.dataPointAlerts.review,
    ...change,
  });
}

async function addMonitored(number: number, columns: Record<string, unknown> = {}, at = place): Promise<void> {
  await addNode(server.database.pool, number, at, { current_deployment_status: "Deployed", ...columns });
  await server.database.pool.query("insert into node_config values ($1, now(), $2)", [
    number,
    JSON.stringify({ np_voltage: "460", np_current: "100", i_noise: "1", v_noise: "5", start_seconds: "10" }),
  ]);
}

/** Stores and extracts a file as ingest and FileExtraction do. */
async function receive(name: string, content: string): Promise<void> {
  await storeFile(server, name, content);
  await extraction.run(signal);
}

const whole: Record<string, string> = Object.fromEntries(
  ["voltage1Avg=460", "voltage2Avg=460", "voltage3Avg=460", "current1Avg=80", "current2Avg=80", "current3Avg=80", "currentAvg=80"].map(
    (line) => line.split("=") as [string, string],
  ),
);
async function saveSignatures(harmonicSignatures: [string, string][]): Promise<void> {
  token ??= await server.login(await server.addAdministrator("placer"));
  const { customerId, facilityId, locationId } = place;
  const url = `/api/customers/${customerId}/facilities/${facilityId}/locations/${locationId}`;
  expect((await server.call({ method: "PATCH", url, token, payload: { harmonicSignatures } })).status).toBe(200);
}
const keepSignaturesAsText = (pairs: [string, string][]) =>
  server.database.pool.query("update location set harmonic_signatures = $1", [JSON.stringify(pairs)]);

const receiveRecord = (timestamp: number, values: Record<string, string> = {}, number = serial) =>
  receive(nameOf(number, timestamp, "D"), dataPoint(number, timestamp, { ...whole, ...values }));

/** A one-second file whose rows from `from` on are the given ones, without their time. */
async function receiveSeconds(timestamp: number, from: number, rows: readonly string[]): Promise<void> {
  const lines = oneSecondLines(serial, timestamp);
  const head = lines.length - 900;
  rows.forEach((row, index) => (lines[head + from + index] = `${timestamp + from + index},${row}`));
  await receive(nameOf(serial, timestamp, "S"), `${lines.join("\n")}\n`);
}

const query = async <Row extends object>(text: string) => (await server.database.pool.query<Row>(text)).rows;
const alarms = async () =>
  (
    await query<{ kind: string; isOpen: boolean; at: number }>(
      'select kind, cleared_at is null as "isOpen", extract(epoch from raised_at)::float8 as at from alarm order by raised_at, kind',
    )
  ).map(({ kind, isOpen }) => `${kind} ${isOpen ? "open" : "ended"}`);
const messages = async () => (await query<{ kind: string }>("select kind from notification order by id")).map(({ kind }) => kind);
const marks = async () =>
  (await query<{ mark: boolean | null }>("select data_analysis_processed as mark from data_file order by serial_number, ts, kind")).map(
    ({ mark }) => mark,
  );
const thd = { voltageThd1: "11", voltageThd2: "3", voltageThd3: "3" };

test("each data point is reviewed once, with the end of its interval, also where it comes alone", async () => {
  const reviews: DataPointReview[] = [];
  const task = newTask({ reviewDataPoints: async (_client, found) => void reviews.push(...found) });
  await receiveRecord(at);
  await task.run(signal);
  await task.run(signal);
  expect(reviews.map((review) => [review.serialNumber, review.at, review.values["voltage1Avg"]])).toEqual([[serial, at + 900, 460]]);
});

describe("a data point", () => {
  test("raises what it shows, reports it once, counts it, is marked, and the next one ends it", async () => {
    await receiveRecord(at - 900, thd);
    expect(await marks()).toEqual([null]);
    expect(await analysis.run(signal)).toBe(1);
    expect([await alarms(), await messages(), await marks()]).toEqual([["voltageThd open"], ["FAULT_voltageThd"], [true]]);
    expect(await query("select event_count from node_live")).toEqual([{ event_count: 1 }]);
    expect(await query("select kind, body from node_event")).toEqual([{ kind: "voltageThd", body: { at: at, value: 11, limit: 10 } }]);
    expect(await analysis.run(signal)).toBe(0);
    await receiveRecord(at);
    expect(await newTask().run(signal)).toBe(1);
    expect([await alarms(), await messages()]).toEqual([["voltageThd ended"], ["FAULT_voltageThd"]]);
  });

  test("several of a node in one run are judged in order of time", async () => {
    await receiveRecord(at - 1_800, thd);
    await receiveRecord(at - 900);
    await receiveRecord(at, thd);
    await analysis.run(signal);
    expect(await alarms()).toEqual(["voltageThd ended", "voltageThd open"]);
  });

  test("of starts: those of the records of an hour are summed up", async () => {
    for (const [quarter, starts] of [9, 2, 2, 2].entries()) await receiveRecord(at - (3 - quarter) * 900, { startCount: String(starts) });
    await analysis.run(signal);
    server.clock.advance(900);
    await receiveRecord(at + 900, { startCount: "1" });
    await analysis.run(signal);
    // 9 of the first quarter alone, then 11, 13, 15 and, without the first, 7: above 6 all the time.
    expect(await alarms()).toEqual(["frequentStarts open"]);
    server.clock.advance(900);
    await receiveRecord(at + 1_800, { startCount: "0" });
    await analysis.run(signal);
    expect(await alarms()).toEqual(["frequentStarts ended"]);
    expect(await query("select kind, value, threshold from alarm")).toEqual([{ kind: "frequentStarts", value: 9, threshold: 6 }]);
    expect((await query<{ body: string }>("select body from notification"))[0]?.body).toContain("Starts in an hour: 9, limit 6");
  });

  test("the oldest ones wait first, each with the starts of its own hour", async () => {
    for (const [quarter, starts] of [9, 2, 2, 3, 1].entries())
      await receiveRecord(at - (4 - quarter) * 900, { startCount: String(starts) });
    await addMonitored(serial + 1_000, {}, await addPlace(server.database.pool));
    await receiveRecord(at - 900, { startCount: "40" }, serial + 1_000);
    const pending = async (limit: number) =>
      (await createDataAnalysisStore(server.database.pool).findPending(limit, null)).map(({ serialNumber, timestamp, starts }) => [
        serialNumber - serial,
        timestamp - at,
        starts,
      ]);
    const oldest = [
      [0, -3_600, 9],
      [0, -2_700, 11],
      [0, -1_800, 13],
    ];
    expect(await pending(3)).toEqual(oldest);
    expect(await pending(10)).toEqual([...oldest, [0, -900, 16], [1_000, -900, 40], [0, 0, 8]]);
  });

  test.each([
    ["saved in the location's form", saveSignatures],
    ["kept as one text, as once was done", keepSignaturesAsText],
  ])("A-01 of a signature %s names it in the message", async (_how, save) => {
    await save([
      ["Gearbox", "300;+420"],
      ["Belt", "-1.5;29"],
    ]);
    await receiveRecord(at, { lineFrequencyAvg: "60", harmonicI1_001: "80", harmonicI1_005: "4", harmonicI1_007: "3.2" });
    await analysis.run(signal);
    expect(await alarms()).toEqual(["harmonicSignature open"]);
    expect((await query<{ body: string }>("select body from notification"))[0]?.body).toContain(
      "Signature Gearbox: 4.0 % of the fundamental current, limit 3 %",
    );
  });

  test("shows the nameplate of a node whose configuration no one requested; DC has one circuit", async () => {
    await server.database.pool.query("delete from node_config");
    const settings = async () => {
      const [row] = await createAlarmsStore(server.database.pool).monitoredNodes();
      return [row?.npVoltage, row?.npCurrent, row?.isDirect];
    };
    expect(await settings()).toEqual([null, null, false]);
    await server.database.pool.query("update location set np_voltage = 480, np_current = 90, equipment_type = 'DCMotor'");
    expect(await settings()).toEqual([480, 90, true]);
    await receiveRecord(at - 900, { npCurrent: "100", npFrequency: "60" });
    await receiveRecord(at, { npCurrent: "101", npFrequency: "60" });
    await analysis.run(signal);
    expect(await settings()).toEqual([460, 101, false]);
    await receiveRecord(at - 1_800, { npCurrent: "99", npFrequency: "0" });
    await analysis.run(signal);
    expect(await settings()).toEqual([460, 101, false]);
    await server.database.pool.query("insert into node_config values ($1, now(), $2)", [
      serial,
      JSON.stringify({ np_voltage: "575", np_current: "unknown", eq_type: "dc" }),
    ]);
    expect(await settings()).toEqual([575, 101, true]);
  });

  test("of a node that no one monitors is marked and raises nothing", async () => {
    await server.database.pool.query("update node set disable_monitoring = true");
    await receiveRecord(at, thd);
    await analysis.run(signal);
    expect([await alarms(), await marks()]).toEqual([[], [true]]);
  });
});

describe("history", () => {
  test("is a record after a newer one that was judged", async () => {
    await receiveRecord(at);
    await analysis.run(signal);
    await receiveRecord(at - 900, thd);
    await analysis.run(signal);
    expect([await alarms(), await marks()]).toEqual([[], [true, true]]);
  });

  test("is not a record after a newer file of another kind, or of another node, that was judged", async () => {
    await addMonitored(serial + 1_000, {}, await addPlace(server.database.pool));
    await receiveSeconds(at, 0, []);
    await receiveRecord(at, {}, serial + 1_000);
    await analysis.run(signal);
    await receiveRecord(at - 900, thd);
    await analysis.run(signal);
    expect([await alarms(), await marks()]).toEqual([["voltageThd open"], [true, true, true]]);
  });

  test("is a record more than an hour after its interval, and one of last month is not even read", async () => {
    await receiveRecord(at, thd);
    await receiveRecord(at - 30 * 86_400, thd);
    server.clock.advance(3_600);
    expect(await analysis.run(signal)).toBe(2);
    expect([await alarms(), await marks()]).toEqual([[], [true, true]]);
  });

  test("is not a record of just under an hour", async () => {
    await receiveRecord(at, thd);
    server.clock.advance(3_560);
    await analysis.run(signal);
    expect(await alarms()).toEqual(["voltageThd open"]);
  });
});

describe("each record counts once", () => {
  test("a run that fails half way is repeated whole", async () => {
    await receiveRecord(at, thd);
    const failing = newTask({ notify: () => Promise.reject(Object.assign(new Error("no mail today"), { code: "57P03" })) });
    await expect(failing.run(signal)).rejects.toThrow("no mail today");
    expect([await alarms(), await marks()]).toEqual([[], [null]]);
    await analysis.run(signal);
    expect([await alarms(), await messages()]).toEqual([["voltageThd open"], ["FAULT_voltageThd"]]);
  });

  test("two runs at once raise one alarm", async () => {
    await receiveRecord(at, thd);
    await Promise.all([newTask().run(signal), newTask().run(signal)]);
    expect([await alarms(), await messages()]).toEqual([["voltageThd open"], ["FAULT_voltageThd"]]);
  });

  test("one that was replaced while it was judged is judged again, as it is then", async () => {
    await receiveRecord(at, thd);
    let isFirst = true;
    const racing = newTask({
      limits: async () => {
        if (isFirst) await receiveRecord(at, { voltageThd1: "2", voltageThd2: "2", voltageThd3: "2" });
        isFirst = false;
        return await server.context.alarmLimits();
      },
    });
    await racing.run(signal);
    expect([await alarms(), await marks()]).toEqual([[], [null]]);
    await racing.run(signal);
    expect([await alarms(), await marks()]).toEqual([[], [true]]);
  });
});

describe("a one-second file", () => {
  const usual = "60.01,42.1,42.2,42.3,480.1,480.2,480.3,9.8,9.9,9.7,1";

  test("reports a sag that the node marked, and every node of a facility but one message", async () => {
    await receiveSeconds(at, 100, ["60.01,42.1,42.2,42.3,463,480.2,480.3,9.8,9.9,9.7,65"]);
    serial++;
    const { rows } = await server.database.pool.query<{ id: number }>(
      "insert into location (facility_id, name, timezone) values ($1, 'Feed Pump 2', 'America/Chicago') returning id",
      [place.facilityId],
    );
    await addMonitored(serial, {}, { ...place, locationId: rows[0]!.id });
    await receiveSeconds(at, 101, ["60.01,42.1,42.2,42.3,463,480.2,480.3,9.8,9.9,9.7,65"]);
    await analysis.run(signal);
    expect(await alarms()).toEqual(["voltageSag ended", "voltageSag ended"]);
    expect(await query("select event_count from node_live")).toEqual([{ event_count: 1 }, { event_count: 1 }]);
    expect(await messages()).toEqual(["FAULT_voltageSag"]);
    expect(await query<{ at: number }>("select extract(epoch from raised_at)::float8 as at from alarm order by 1")).toEqual([
      { at: at + 100 },
      { at: at + 101 },
    ]);
  });

  test("of a paused node keeps no one else's message away", async () => {
    await server.database.pool.query("update node set pause_notifications = true");
    const sag = ["60.01,42.1,42.2,42.3,463,480.2,480.3,9.8,9.9,9.7,65"];
    await receiveSeconds(at, 100, sag);
    await analysis.run(signal);
    await server.database.pool.query("update node set pause_notifications = false");
    serial++;
    await server.database.pool.query("delete from node_assignment");
    await addMonitored(serial);
    await receiveSeconds(at, 100, sag);
    await analysis.run(signal);
    expect(await query<{ reason: string | null }>("select sent_failed_reason as reason from notification order by id")).toEqual([
      { reason: "Paused: notifications of this node are paused" },
      { reason: null },
    ]);
  });

  test("reports a long start and a loss-of-phase transient", async () => {
    const stopped = "60.01,0.1,0.1,0.1,480.1,480.2,480.3,0,0,0,0";
    const inrush = "60.01,620,620,620,470.1,470.2,470.3,90,90,90,3";
    const open = "60.01,0.2,140,140,460.1,480.2,440.3,0,9.9,9.7,1";
    await receiveSeconds(at, 100, [...Array.from({ length: 20 }, () => stopped), ...Array.from({ length: 14 }, () => inrush)]);
    await analysis.run(signal);
    expect(await query("select kind, value from alarm")).toEqual([{ kind: "longStart", value: 14 }]);
    server.clock.advance(900);
    at += 900;
    await receiveSeconds(at, 100, [open, inrush]);
    await analysis.run(signal);
    expect(await alarms()).toEqual(["longStart ended", "lossOfPhaseTransient ended"]);
    expect(await messages()).toEqual(["FAULT_longStart", "FAULT_lossOfPhaseTransient"]);
  });

  test("whose bytes are gone is marked", async () => {
    await receiveSeconds(at, 100, [usual]);
    const [row] = await query<{ hash: Buffer }>("select content_hash as hash from data_file");
    await fileStore.removeIdle(row!.hash, Infinity);
    await analysis.run(signal);
    expect([await alarms(), await marks()]).toEqual([[], [true]]);
  });

  test("A-63 whose bytes cannot be read at the moment waits for them", async () => {
    await receiveSeconds(at, 100, ["60.01,42.1,42.2,42.3,463,480.2,480.3,9.8,9.9,9.7,65"]);
    const read = () => Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
    const sick = newTask({ readSeconds: createSecondSeriesReader({ ...fileStore, read }) });
    expect(await sick.run(signal)).toMatchObject({ hasFailed: true, logEntry: expect.stringContaining("EIO") });
    expect(await marks()).toEqual([null]);
  });
});

test("a run without work is two queries along the index of what waits", async () => {
  const plans = await query<{ "QUERY PLAN": string }>(
    `explain select * from data_file where processed and data_analysis_processed is null and kind in ('D', 'S') order by ts, serial_number limit 200`,
  );
  expect(plans.map((plan) => plan["QUERY PLAN"]).join("\n")).toContain("data_file_to_analyse");
});

describe("files that wait to be analysed", () => {
  const store = () => createDataAnalysisStore(server.database.pool);
  interface Waiting {
    number?: number;
    ts: number;
    kind?: "D" | "S" | "H";
    processed?: boolean | null;
    analysed?: boolean | null;
    interval?: number;
  }
  const addFile = ({ number = serial, ts, kind = "D", processed = true, analysed = null, interval = 900 }: Waiting) =>
    server.database.pool.query(
      `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed, data_analysis_processed)
       values ($1, to_timestamp($2), $3, $4, $5, '\\x01', '', 0, false, to_timestamp($2), 'node', $6, $7)`,
      [number, ts, kind, `${number} ${ts} ${kind}`, interval, processed, analysed],
    );
  const pending = async () =>
    (await store().findPending(10, null)).map(({ serialNumber, timestamp, kind, isOvertaken }) => [
      serialNumber - serial,
      timestamp - at,
      kind,
      isOvertaken,
    ]);

  test("are those that were extracted, the oldest first, without those that are set aside or passed over", async () => {
    await addMonitored(serial + 1, {}, await addPlace(server.database.pool));
    await addFile({ number: serial + 1, ts: at });
    await addFile({ ts: at });
    await addFile({ ts: at - 900, kind: "S" });
    await addFile({ ts: at - 900, analysed: true });
    await addFile({ ts: at, kind: "H" });
    await addFile({ ts: at - 1_800, processed: null });
    await addFile({ ts: at - 2_700, processed: false });
    await addFile({ ts: at - 1_800, kind: "S", interval: 60 });
    expect(await pending()).toEqual([
      [0, -1_800, "S", false],
      [0, -900, "S", false],
      [0, 0, "D", false],
      [1, 0, "D", false],
    ]);
    const { rows } = await server.database.pool.query<{ item: string }>(
      "select file_name || ' ' || left(encode(content_hash, 'hex'), 12) as item from data_file where serial_number = $1 and ts = to_timestamp($2) and kind = 'D'",
      [serial, at],
    );
    const setAside = (service: string, kind: string) =>
      server.database.pool.query("insert into service_set_aside values ($1, $2, $3, '', 1, now(), now(), now())", [
        service,
        kind,
        rows[0]!.item,
      ]);
    await setAside("Other", "file");
    await setAside("DataAnalysis", "other");
    expect(await pending()).toHaveLength(4);
    await setAside("DataAnalysis", "file");
    expect(await pending()).toHaveLength(3);
    expect((await store().findPending(10, [rows[0]!.item])).map(({ fileName }) => fileName)).toEqual([`${serial} ${at} D`]);
    await server.database.pool.query("delete from service_set_aside");
    // Not one whose interval ends at that moment, and the oldest first.
    expect([await store().passOver(at, 1), await pending()]).toEqual([
      1,
      [
        [0, -900, "S", false],
        [0, 0, "D", false],
        [1, 0, "D", false],
      ],
    ]);
    expect([await store().passOver(at, 9), await store().passOver(at + 1, 9), (await pending()).length]).toEqual([0, 1, 2]);
    const { rows: untouched } = await server.database.pool.query(
      "select from data_file where data_analysis_processed is null and (not coalesce(processed, false) or kind = 'H')",
    );
    expect(untouched).toHaveLength(3);
  });

  test("a newer file of the same node and kind that was analysed has overtaken it; starts are those of the hour", async () => {
    await addMonitored(serial + 1, {}, await addPlace(server.database.pool));
    await addFile({ ts: at });
    for (const [file, isOvertaken] of [
      [{ ts: at, kind: "S", analysed: true }, false],
      [{ ts: at + 900, kind: "S", analysed: true }, false],
      [{ number: serial + 1, ts: at + 900, analysed: true }, false],
      [{ ts: at + 1_800, analysed: null, processed: null }, false],
      [{ ts: at + 900, analysed: true }, true],
    ] as const) {
      await addFile(file);
      expect([file, (await pending())[0]]).toEqual([file, [0, 0, "D", isOvertaken]]);
    }
    const starts = (number: number, ts: number, count: number) =>
      server.database.pool.query(
        "insert into sensor_data (serial_number, ts, interval_seconds, data) values ($1, to_timestamp($2), 900, jsonb_build_object('startCount', $3::float8))",
        [number, ts, count],
      );
    await starts(serial, at - 2_701, 1_000);
    await starts(serial, at - 2_700, 1);
    await starts(serial, at, 10);
    await starts(serial, at + 900, 100);
    await starts(serial + 1, at, 10_000);
    expect((await store().findPending(1, null))[0]).toMatchObject({ starts: 11, values: { startCount: 10 } });
  });
});
