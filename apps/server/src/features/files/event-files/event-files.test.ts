import { sampleZip } from "#testing/sample-zip.ts";
import type { EventFile } from "@busbar/contract/files/event-files.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolderFileStore } from "#lib/file-store.ts";
import { nameOf } from "#testing/sample-files.ts";
import { sampleCev, sampleEve, samplePair } from "#testing/sample-events.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createEventFileParserStore } from "./event-file-parser.store.ts";
import { createEventFileParser } from "./event-file-parser.task.ts";
import { createEventReader } from "./event-reader.ts";
import { createRecordedEventsStore } from "./recorded-events.store.ts";

const serial = 34_001;
const at = 1_790_000_100;
let server: TestApp;
let token: string;
let key: string;
let next = 0;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
  const place = await addPlace(server.database.pool);
  await addNode(server.database.pool, serial, place, { type: "SEL" });
  const owner = await server.addUser("owner", place.customerId);
  const { json } = await server.call({ method: "POST", url: `/api/users/${owner}/apikeys/relays`, payload: {}, token });
  key = (json["data"] as { key: string }).key;
});
afterAll(() => server.stop());

const freshName = (extension: string) => nameOf(serial, at + ++next, "E", extension);
const pairOf = (cfg: string) => cfg.replace(/cfg$/, "dat");

async function upload(name: string, bytes: Uint8Array | string): Promise<void> {
  const { status, text } = await server.call({
    method: "POST",
    url: `/api/nodes/${serial}/files/${name}`,
    payload: Buffer.from(bytes as string),
    headers: { "content-type": "application/octet-stream", "x-api-key": key },
  });
  expect(`${status} ${text}`).toMatch(/^200 /);
}

const get = (name: string, query = "", withToken: string | undefined = token) =>
  server.call({ method: "GET", url: `/api/activities/events/files/${name}${query}`, ...(withToken ? { token: withToken } : {}) });
async function open(name: string, query = ""): Promise<EventFile> {
  const { status, json, text } = await get(name, query);
  expect(`${status} ${status === 200 ? "" : text}`).toBe("200 ");
  return json["data"] as EventFile;
}

function track(work: Promise<unknown>): { isSettled: boolean } {
  const state = { isSettled: false };
  const settle = () => {
    state.isSettled = true;
  };
  work.then(settle, settle);
  return state;
}

async function parse(): Promise<void> {
  const { pool } = server.database;
  const reader = createEventReader(createFolderFileStore(`${server.dataDir}/files`), server.context.log);
  // Both files of a pair have been waited for.
  const clock = { ...server.clock, now: () => server.clock.now() + 700_000 };
  const store = createEventFileParserStore(pool);
  await createEventFileParser({
    pool,
    store,
    events: createRecordedEventsStore(pool),
    read: reader,
    clock,
    notify: async () => undefined,
  }).run(new AbortController().signal);
}

describe("FEE-04 who may read an event file, and how it is requested", () => {
  const name = nameOf(serial, at, "E", "cev");
  beforeAll(() => upload(name, sampleCev()));

  test("no one without a session, no program with a key", async () => {
    expect((await get(name, "", "")).status).toBe(401);
    const byKey = await server.call({ method: "GET", url: `/api/activities/events/files/${name}`, headers: { "x-api-key": key } });
    expect(byKey.status).toBe(401);
  });

  test.each([
    ["?from=soon", "from: is one time in seconds from the trigger"],
    ["?from=0.2&to=0.1", "from: is before to"],
    ["?from=0.1&to=0.1", "from: is before to"],
    ["?columns=0", "columns: is one whole number from 1 to 2000"],
    ["?columns=2001", "columns: is one whole number from 1 to 2000"],
    ["?columns=9e9", "columns: is one whole number from 1 to 2000"],
    ["?text=perhaps", "text: is yes or no"],
  ])("%s is refused: %s", async (query, message) => {
    const { status, json } = await get(name, query);
    expect([status, json["errorMessage"]]).toEqual([400, message]);
  });

  test("the boundaries are allowed", async () => {
    expect((await get(name, "?columns=1&from=-0.001&to=0.001")).status).toBe(200);
    expect((await get(name, "?columns=2000&text=no")).status).toBe(200);
  });

  test("a name of another kind, a name that is none, a file that is not there", async () => {
    const other = await get(nameOf(serial, at, "D"));
    expect([other.status, String(other.json["errorMessage"])]).toEqual([400, expect.stringContaining("An event file has the kind E")]);
    for (const bad of ["..%2f..%2fetc%2fpasswd", "a%00b", "constructor", `${name}.gz`]) expect((await get(bad)).status).toBe(400);
    const missing = nameOf(39_998, at, "E", "cev");
    const { status, json } = await get(missing);
    expect([status, json["errorMessage"]]).toEqual([404, `File ${missing} was not found`]);
  });
});

describe("FEE-04 an event file shows what it says, its text, and its waveform", () => {
  test("CEV: labels, text, analog and digital channels from the trigger on", async () => {
    const name = freshName("cev");
    await upload(name, sampleCev());
    const file = await open(name);
    expect(file).toMatchObject({
      fileName: name,
      serialNumber: String(serial),
      location: "Feed Pump 1",
      timezone: "America/Chicago",
      format: "CEV",
      eventKind: "trip",
      triggeredAt: "2024-03-08 09:05:07.042000",
      partner: null,
      problem: null,
      warnings: [],
      processed: null,
      isTruncated: false,
      fileContents: sampleCev(),
    });
    expect(Object.fromEntries(file.labels.map((label) => [label.name, label.value]))).toMatchObject({
      Relay: "SEL-751-R401",
      Event: "AG T",
      Targets: "TRIP 51P",
      "Sampling rate": "960 Hz",
    });
    const waveform = file.waveform!;
    expect(waveform).toMatchObject({ start: -32 / 960, end: 31 / 960, sampleCount: 64, isEverySample: true, omittedChannels: 0 });
    expect(waveform.times[32]).toBe(0);
    expect(waveform.analogs.map(({ name: channel, unit, values }) => [channel, unit, values[36]])).toEqual([
      ["IA", "A", 900],
      ["IB", "A", -900],
      ["VAB", "V", 480],
      ["FREQ", "Hz", 60],
    ]);
    expect(waveform.digitals).toEqual([{ name: "TRIP", first: 0, turns: [32] }]);
    expect([waveform.alwaysOn, waveform.alwaysOff]).toEqual([["52A"], ["ALARM", "51P"]]);
    await parse();
    expect(await open(name)).toMatchObject({ processed: true, failedReason: null });
  });

  test("a finer part of it, without its text", async () => {
    const name = freshName("cev");
    await upload(name, sampleCev({ cycles: 600 }));
    const whole = (await open(name, "?columns=100")).waveform!;
    expect([whole.isEverySample, whole.times.length, whole.sampleCount]).toEqual([false, 200, 9_600]);
    expect(Math.max(...whole.analogs[0]!.values.map(Number))).toBe(900);
    const part = await open(name, "?columns=100&from=0&to=0.05&text=no");
    expect([part.fileContents, part.labels.length > 0]).toEqual([null, true]);
    const { from, to, isEverySample, times, start } = part.waveform!;
    expect([from, to, isEverySample, start]).toEqual([0, 0.05, true, whole.start]);
    expect([times[0], times.at(-1)]).toEqual([expect.closeTo(-1 / 960, 6), expect.closeTo(49 / 960, 6)]);
    // Beyond its ends a record has nothing.
    expect((await open(name, "?from=-1000&to=1000&text=no")).waveform).toMatchObject({ from: whole.start, to: whole.end });
    expect((await open(name, "?from=100&text=no")).waveform!.times).toHaveLength(2);
  });

  test("COMTRADE: either file of a pair shows the record", async () => {
    const cfg = freshName("cfg");
    await upload(cfg, samplePair.cfg({ format: "BINARY", revision: "2013" }));
    await upload(pairOf(cfg), samplePair.binary());
    const [byConfig, byData] = [await open(cfg), await open(pairOf(cfg))];
    expect(byConfig).toMatchObject({ format: "COMTRADE", eventKind: "trip", partner: { fileName: pairOf(cfg), isStored: true } });
    expect(byConfig.fileContents).toContain("Alder Substation");
    expect(byData).toMatchObject({ partner: { fileName: cfg, isStored: true }, labels: byConfig.labels });
    expect(byData.waveform).toEqual(byConfig.waveform);
    expect(byConfig.waveform!.analogs.map(({ name, phase, unit }) => `${name} ${phase} ${unit}`)).toEqual(["IA A A", "IB B A", "VA A V"]);
    expect(byConfig.waveform!.digitals.map(({ name, turns }) => [name, turns.length])).toEqual([
      ["TRIP", 1],
      ["BRKR", 7],
    ]);
    expect(byData.sourceFileContents).toMatch(/^[0-9a-f]+$/);
  });

  test("a combined file, a printed report, a relay's log, a CEV that is called .txt, an archive", async () => {
    const [cff, eve, log, text, zip] = ["cff", "eve", "txt", "txt", "zip"].map(freshName) as [string, string, string, string, string];
    const parts = [
      "--- file type: CFG ---\r\n",
      samplePair.cfg({ revision: "2013" }),
      "--- file type: DAT ASCII ---\r\n",
      samplePair.ascii(),
    ];
    await upload(cff, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
    await upload(eve, sampleEve);
    await upload(log, "Device: F60\r\n7, Jan 14 2024 15:32:01.140000, SELF-TEST ERROR\r\n");
    await upload(text, sampleCev());
    const archive = await sampleZip(Buffer.from("a,b"));
    await upload(zip, archive);
    const cut = freshName("zip");
    await upload(cut, archive.subarray(0, 40));
    expect(await open(cff)).toMatchObject({ format: "COMTRADE", problem: null, partner: null, waveform: { sampleCount: 8 } });
    expect(await open(eve)).toMatchObject({ format: "EVE", eventKind: "trip", waveform: null, problem: null, fileContents: sampleEve });
    expect(await open(log)).toMatchObject({ format: "text", eventKind: "alarm", triggeredAt: "Jan 14 2024 15:32:01.140000" });
    expect(await open(text)).toMatchObject({ format: "CEV", waveform: { sampleCount: 64 } });
    expect(await open(zip)).toMatchObject({ format: "archive", labels: [], problem: null, waveform: null });
    await parse();
    for (const name of [cff, eve, log, text, zip]) expect(await open(name)).toMatchObject({ processed: true, failedReason: null });
    expect(await open(cut)).toMatchObject({ processed: false, failedReason: "No zip archive, or it is cut off: it has no directory" });
  });

  test("a printed report is one by its name, or by the relay's FID in a text, wherever in its head that is", async () => {
    const [eve, text, other] = [freshName("eve"), freshName("txt"), freshName("txt")];
    const unnamed = sampleEve.replace("FID=SEL-", "FID=RL-");
    await upload(eve, unnamed);
    await upload(text, `=>EVE\r\n\r\n  ${sampleEve.trimStart()}`);
    await upload(other, unnamed);
    for (const name of [eve, text]) expect(await open(name)).toMatchObject({ format: "EVE", eventKind: "trip", problem: null });
    expect(await open(other)).toMatchObject({ format: "text" });
  });

  test("channels beyond what a plot takes are reported, values stay within bounds", async () => {
    const count = 300;
    const config = [
      "Alder,RL,1999",
      `${count},${count}A,0D`,
      ...Array.from({ length: count }, (_, index) => `${index + 1},I${index},,,A,1,0,0,0,0,1,1,P`),
      "60",
      "1",
      "960,200",
      "08/03/2024,12:00:00.0",
      "08/03/2024,12:00:00.1",
      "BINARY",
      "1",
    ];
    const cfg = freshName("cfg");
    await upload(cfg, config.join("\r\n"));
    await upload(pairOf(cfg), Buffer.alloc(200 * (8 + 2 * count), 1));
    const waveform = (await open(cfg)).waveform!;
    expect([waveform.analogs.length, waveform.omittedChannels, waveform.times.length]).toEqual([48, 252, 200]);
  });
});

describe("FEE-04 a broken event file ends as Failed with its reason; what it still says and its text are shown", () => {
  const cev = sampleCev();
  const pair = (cfg: Uint8Array | string, dat?: Uint8Array | string) => ({ cfg, dat });
  const config = (lines: Record<number, string>) => samplePair.cfg({ lines });
  const binaryConfig = samplePair.cfg({ format: "BINARY", revision: "2013" });
  const station = "Alder Substation";
  const cases: [string, string | Uint8Array | { cfg: string | Uint8Array; dat?: string | Uint8Array | undefined }, string, string?][] = [
    ["CEV cut in a line", cev.slice(0, -600), "CEV line 56: no checksum", "SEL-751-R401"],
    ["CEV cut after a line", cev.split("\r\n").slice(0, 30).join("\r\n"), "CEV: 23 of 64 samples", "SEL-751-R401"],
    ["CEV with one byte changed", cev.replace("100,-100", "101,-100"), "CEV line 12: checksum mismatch", "SEL-751-R401"],
    ["CEV with a NUL", cev.replace("PHROT", "PH\u0000ROT"), `NUL byte at ${cev.indexOf("PHROT") + 2}`, "SEL-751-R401"],
    ["CEV that is none", "hello", "CEV: no line of compressed ASCII"],
    ["no data file", pair(samplePair.cfg()), "The file {dat} with the data is missing", station],
    ["data cut off", pair(samplePair.cfg(), Buffer.from(samplePair.ascii()).subarray(0, 100)), "DAT: 5 of 8 rows", station],
    ["binary data of odd length", pair(binaryConfig, samplePair.binary().subarray(0, 127)), "DAT: 7 of 8 rows", station],
    [
      "binary data with a byte more",
      pair(binaryConfig, Buffer.concat([samplePair.binary(), Buffer.from("x")])),
      "DAT: bytes after the last row: 1, a row has 16",
      station,
    ],
    ["a billion samples claimed", pair(config({ 9: "960,1000000000" }), samplePair.ascii()), "DAT: 8 of 1000000000 rows", station],
    ["no samples", pair(config({ 8: "0", 9: "0,0" }), samplePair.ascii()), "CFG: the record has no sample", station],
    [
      "no rates and no time stamps",
      pair(
        config({ 8: "0", 9: "0,8" }),
        Buffer.from(samplePair.ascii())
          .toString()
          .replaceAll(/^(\d+),\d+/gm, "$1,"),
      ),
      "DAT: neither sampling rates nor time stamps give the time",
      station,
    ],
    [
      "counts that lie",
      pair(config({ 1: "6,3A,2D" }), samplePair.ascii()),
      "CFG line 2: 6 channels are not 3 analog and 2 status channels",
      station,
    ],
    [
      "more channels than lines",
      pair(config({ 1: "2005,2003A,2D" }), samplePair.ascii()),
      "CFG: the line of analog channel 14 is missing",
      station,
    ],
    [
      "a million channels claimed",
      pair(config({ 1: "1000000,999998A,2D" }), samplePair.ascii()),
      "CFG line 2: 1000000 channels are more than 10000",
      station,
    ],
    [
      "a configuration with a NUL",
      pair(Buffer.concat([samplePair.cfg(), Buffer.from([0])]), samplePair.ascii()),
      `NUL byte at ${samplePair.cfg().length}`,
      station,
    ],
    [
      "a word for a number",
      pair(samplePair.cfg(), Buffer.from(samplePair.ascii()).toString().replace("-20", "no")),
      'DAT row 1: "no" is no number',
      station,
    ],
  ];
  for (const [what, content, expected, label] of cases) {
    test(`${what}: ${expected}`, async () => {
      const isPair = typeof content === "object" && "cfg" in content;
      const name = freshName(isPair ? "cfg" : "cev");
      await upload(name, isPair ? content.cfg : content);
      if (isPair && content.dat) await upload(pairOf(name), content.dat);
      await parse();
      const reason = expected.replace("{dat}", pairOf(name));
      const file = await open(name);
      expect(file).toMatchObject({ processed: false, failedReason: reason, problem: reason, waveform: null });
      expect(file.fileContents!.length).toBeGreaterThan(4);
      expect(file.labels[0]?.value).toBe(label);
      const other = isPair && content.dat ? pairOf(name) : name;
      expect(await open(other)).toMatchObject({ processed: false, failedReason: reason });
    });
  }

  test("data without its configuration; a printed report that is none; an empty packed file", async () => {
    const [dat, eve] = [freshName("dat"), freshName("eve")];
    await upload(dat, samplePair.ascii());
    await upload(eve, "hello");
    await parse();
    const reason = `The file ${dat.replace(/dat$/, "cfg")} with the configuration is missing`;
    expect(await open(dat)).toMatchObject({ processed: false, failedReason: reason, labels: [], partner: { isStored: false } });
    expect(await open(eve)).toMatchObject({ processed: false, failedReason: "EVE: neither FID nor type of event", fileContents: "hello" });
  });

  test.each([
    ["CFG", "DAT"],
    ["cfg", "DAT"],
    ["Cfg", "dat"],
  ])("A-23 .%s and .%s are one pair, whichever name asks for it", async (cfgCase, datCase) => {
    const cfg = freshName("cfg");
    const names = [cfg.replace("cfg", cfgCase), pairOf(cfg).replace("dat", datCase)] as const;
    await upload(names[0], samplePair.cfg());
    await upload(names[1], samplePair.ascii());
    await parse();
    for (const [index, name] of [...names, cfg, pairOf(cfg)].entries()) {
      const file = await open(name);
      const [own, other] = index % 2 === 0 ? [cfg, pairOf(cfg)] : [pairOf(cfg), cfg];
      expect(file).toMatchObject({ fileName: own, processed: true, problem: null, partner: { fileName: other, isStored: true } });
      expect(file.waveform?.analogs).toHaveLength(3);
    }
    await upload(names[0], samplePair.cfg());
    const { rows } = await server.database.pool.query("select 1 from data_file where file_name = any($1)", [[cfg, names[0]]]);
    expect(rows).toHaveLength(1);
  });

  test.each(["CFF", "cFf"])("A-23 a combined file .%s with markers without a colon is read", async (extension) => {
    const name = freshName("cff").replace("cff", extension);
    const sections = ["--- file type CFG ---\r\n", samplePair.cfg(), "--- FILE TYPE DAT ASCII ---\r\n", samplePair.ascii()];
    await upload(name, Buffer.concat(sections.map((section) => Buffer.from(section))));
    await parse();
    expect(await open(name)).toMatchObject({ format: "COMTRADE", processed: true, problem: null });
  });

  test.each([
    ["HDR", "Line 3 tripped after a fault near Alder.\r\nRelay: RL-7\r\n"],
    ["inf", "[Public Record_Information]\r\nSource=RL-7\r\n"],
  ])("A-23 what a recorder writes beside a pair, .%s, is a text", async (extension, text) => {
    const name = freshName(extension.toLowerCase()).replace(/[a-z]+$/, extension);
    await upload(name, text);
    await parse();
    const file = await open(name);
    expect(file).toMatchObject({ format: "text", processed: true, fileContents: text, partner: null });
    expect(file.labels).toContainEqual({ name: extension === "HDR" ? "Relay" : "Source", value: "RL-7" });
  });

  test("A-23 an unset trigger is no day of 1970, and units are those of the field", async () => {
    const cfg = freshName("cfg");
    const text = Buffer.from(samplePair.cfg()).toString().replace("08/03/2024,12:00:00.002083", "01/01/1970,00:00:00.000000");
    await upload(cfg, text.replace("IA,A,,A,", "IA,A,,AMPERES RMS,").replace("VA,A,,V,", "VA,A,,volt,"));
    await upload(pairOf(cfg), samplePair.ascii());
    await parse();
    const file = await open(cfg);
    expect(file).toMatchObject({ triggeredAt: null, waveform: { start: 0 } });
    expect(file.labels.filter(({ value }) => value.includes("1970"))).toEqual([]);
    expect(file.waveform?.analogs.map(({ unit }) => unit)).toEqual(["A", "A", "V"]);
  });

  test("names in Latin-1 are read", async () => {
    const cfg = freshName("cfg");
    await upload(cfg, Buffer.from("Süd".concat(Buffer.from(samplePair.cfg()).toString().slice(16)), "latin1"));
    await upload(pairOf(cfg), samplePair.ascii());
    expect((await open(cfg)).labels[0]).toEqual({ name: "Station", value: "Süd" });
  });

  test("20 MB are read, megabytes of anything are read or refused, while other calls are answered", async () => {
    const [most, much] = [20 * 1024 * 1024, 3 * 1024 * 1024];
    const row = "1,0,1,2,3,0,1\r\n";
    const count = Math.floor(most / row.length);
    const large: [string, Uint8Array | string, Uint8Array | string | undefined][] = [
      ["rows: read", samplePair.cfg({ lines: { 9: `960,${count}` } }), row.repeat(count)],
      ["blank lines: DAT: 0 of 8 rows", samplePair.cfg(), "\n".repeat(much)],
      ["one row: DAT: 1 of 8 rows", samplePair.cfg(), ",1".repeat(much / 2)],
      ["settings after an event: read", `${sampleCev()}\r\n${"50P1P := 12.00\r\n".repeat(much / 16)}`, undefined],
      ["lines: CEV: 500001 lines are more than an event has", "x\n".repeat(500_000), undefined],
      ["commas: CEV: no line of compressed ASCII", ",".repeat(much), undefined],
    ];
    for (const [expected, content, data] of large) {
      const name = freshName(data === undefined ? "cev" : "cfg");
      await upload(name, content);
      if (data !== undefined) await upload(pairOf(name), data);
      const opened = open(name);
      let answered = 0;
      for (const done = track(opened); !done.isSettled; answered++) {
        expect((await get(nameOf(39_998, at, "E", "cev"))).status).toBe(404);
      }
      const { problem } = await opened;
      expect(`${expected.split(":")[0]}: ${problem ?? "read"}`).toBe(expected);
      expect(answered).toBeGreaterThan(expected === "rows: read" ? 3 : 0);
    }
  });
});

test("A-63 while the store cannot be read nothing is said of a file", async () => {
  const read = () => Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
  const sick = { ...createFolderFileStore(`${server.dataDir}/files`), read };
  const file = { fileName: "10001_20260913T150000Z_E0001.cev", hash: Buffer.alloc(32, 7), isGzip: true };
  await expect(createEventReader(sick, server.context.log)(file, undefined)).rejects.toThrow("EIO");
});
