import { assert, nat, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { splitCff } from "./cff.ts";
import { describeComtrade, readComtrade } from "./comtrade.ts";
import { bytesOf, sampleAscii, sampleBinary, sampleConfig, sampleRaw, type SampleOptions } from "./testing/sample-comtrade.ts";
import { canonicalUnit } from "./units.ts";
import { WaveformError } from "./waveform.ts";

const read = (options: SampleOptions = {}, dat: string | Uint8Array = sampleAscii()) =>
  readComtrade(bytesOf(sampleConfig(options)), typeof dat === "string" ? bytesOf(dat) : dat);
const list = (values: ArrayLike<number> | undefined) => Array.from(values ?? []);

const currentA = sampleRaw.map(([raw = 0]) => (0.5 * raw + 1) * 200);
const voltage = sampleRaw.map(([, , raw = 0]) => 2 * raw);

describe("a record of every edition and format", () => {
  test.each(["1991", "1999", "2013"] as const)("%s in ASCII", (revision) => {
    const waveform = read({ revision });
    const ratio = revision === "1991" ? 1 : 200;
    expect(waveform).toMatchObject({
      station: "Alder Substation",
      device: "RL-7",
      revision,
      lineFrequency: 60,
      triggeredAt: "2024-03-08 12:00:00.002083",
      utcOffset: revision === "2013" ? "-5h30" : undefined,
      warnings: [],
    });
    expect(waveform.analogs.map(({ name, phase, unit }) => `${name} ${phase} ${unit}`)).toEqual(["IA A A", "IB B A", "VA A V"]);
    expect(list(waveform.analogs[0]?.values)).toEqual(sampleRaw.map(([raw = 0]) => (0.5 * raw + 1) * ratio));
    expect(list(waveform.analogs[2]?.values)).toEqual(voltage);
    expect(waveform.digitals.map(({ name, values }) => [name, list(values)])).toEqual([
      ["TRIP", [0, 0, 1, 1, 1, 1, 1, 1]],
      ["BRKR", [0, 1, 0, 1, 0, 1, 0, 1]],
    ]);
    expect(waveform.times[0]).toBeCloseTo(-0.002083, 9);
    expect(waveform.times[2]).toBeCloseTo(0, 6);
  });

  test.each(["BINARY", "BINARY32", "FLOAT32"] as const)("%s holds what ASCII holds", (format) => {
    const [binary, ascii] = [read({ revision: "2013", format }, sampleBinary(format)), read({ revision: "2013" })];
    expect(binary.analogs).toEqual(ascii.analogs);
    expect(binary.digitals).toEqual(ascii.digitals);
    expect(binary.times).toEqual(ascii.times);
  });

  test("the states of more than sixteen channels are in words of sixteen, the lowest bit first", () => {
    const names = Array.from({ length: 18 }, (_, channel) => `${channel + 1},S${channel},,,0`);
    const view = new DataView(new ArrayBuffer(8 * 18));
    for (let row = 0; row < 8; row++) {
      view.setUint32(row * 18 + 4, row * 1_042, true);
      view.setUint16(row * 18 + 14, (1 << 0) | (1 << 9), true);
      view.setUint16(row * 18 + 16, 1 << 1, true);
    }
    const lines = { 1: "21,3A,18D", 5: names.slice(0, 17).join("\r\n"), 6: names[17]! };
    const { digitals } = read({ format: "BINARY", lines }, new Uint8Array(view.buffer));
    expect(digitals.flatMap(({ name, values }) => (list(values).every((state) => state === 1) ? [name] : []))).toEqual(["S0", "S9", "S17"]);
  });
});

describe("makers' variations", () => {
  const currentOf = (options: SampleOptions, dat?: string) => list(read(options, dat).analogs[0]?.values);
  test("other line ends, end-of-file bytes, a byte order mark, spaces, lower-case format", () => {
    expect(currentOf({ lineEnd: "\n" })).toEqual(currentA);
    expect(currentOf({ lines: { 13: `1 ${"\u001a".repeat(40)}` } }, `${sampleAscii()}\r\n\u001a`)).toEqual(currentA);
    expect(currentOf({ lines: { 0: "\uFEFFAlder Substation, RL-7 ,1999" } })).toEqual(currentA);
    expect(currentOf({ lines: { 12: "ascii" } })).toEqual(currentA);
  });

  test("blank skew, limits, phase and ratio; a status channel without its normal state; no device; numbers with a fraction", () => {
    const waveform = read({
      lines: { 0: "x,,2001", 2: "1,IA,,,A,5.0E-1,1.0,,,", 5: "1,,,,", 7: "60.000000000", 9: "960.000000000,8" },
    });
    expect(waveform.analogs[0]?.values[0]).toBe(6);
    expect(waveform.digitals[0]?.name).toBe("D1");
    expect(waveform.lineFrequency).toBe(60);
  });

  test("counts in the other order, dates the other way round, no date at all", () => {
    expect(currentOf({ lines: { 1: "5,2D,3A" } })).toEqual(currentA);
    expect(read({ lines: { 10: "03/28/2024,12:00:00.5", 11: "03/28/2024,12:00:00.75" } }).times[0]).toBeCloseTo(-0.25, 9);
    const undated = read({ lines: { 10: ",", 11: "," } });
    expect([undated.triggeredAt, undated.times[0]]).toEqual([undefined, 0]);
  });

  test("rows after the last are reported and left out; empty time stamps do not matter where there is a rate", () => {
    const longer = sampleAscii([...sampleRaw, [1, 2, 3]]);
    expect(read({}, longer).warnings).toEqual(["Rows after the last one of the configuration: 1"]);
    const unstamped = sampleAscii(sampleRaw, () => "");
    expect(currentOf({}, unstamped)).toEqual(currentA);
  });

  test("names that are not UTF-8", () => {
    const config = Buffer.from(sampleConfig({ lines: { 0: "Süd,RL,1999" } }), "latin1");
    expect(readComtrade(config, bytesOf(sampleAscii())).station).toBe("Süd");
  });

  test("missing values are no numbers, in every format", () => {
    const ascii = sampleAscii().replace("1,0,10,-20,", "1,0,99999,,");
    expect(list(read({}, ascii).analogs.map(({ values }) => values[0] ?? 0))).toEqual([Number.NaN, Number.NaN, 60]);
    const rows = (missing: number) => [[missing, -20, 30], ...sampleRaw.slice(1)];
    const missing = { BINARY: -0x8000, BINARY32: -0x80000000, FLOAT32: -3.4028234663852886e38 };
    for (const format of ["BINARY", "BINARY32", "FLOAT32"] as const) {
      expect(read({ revision: "2013", format }, sampleBinary(format, rows(missing[format]))).analogs[0]?.values[0]).toBeNaN();
    }
    expect(read({ revision: "1991", format: "BINARY" }, sampleBinary("BINARY", rows(-1))).analogs[0]?.values[0]).toBeNaN();
  });
});

describe("time", () => {
  const steps = (options: SampleOptions, dat?: string) => {
    const { times } = read(options, dat);
    return list(times.map((time) => Math.round((time - times[0]!) * 1e6)));
  };
  test("by several rates", () => {
    expect(steps({ rates: ["2", "1000,4", "500,8"] })).toEqual([0, 1000, 2000, 3000, 4000, 6000, 8000, 10_000]);
  });
  test("by three rates, each from the end of the one before", () => {
    // A rate of no samples.
    expect(steps({ rates: ["3", "1000,4", "2000,4", "500,8"] })).toEqual([0, 1000, 2000, 3000, 4000, 6000, 8000, 10_000]);
    expect(steps({ rates: ["3", "1000,2", "500,4", "250,8"] })).toEqual([0, 1000, 2000, 4000, 6000, 10_000, 14_000, 18_000]);
  });
  test("by time stamps that begin late, from the first on", () => {
    const dat = sampleAscii(sampleRaw, (index) => String(7_000 + index * 500));
    expect(steps({ rates: ["0", "0,8"] }, dat)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500]);
  });
  test("by time stamps when there is no rate, times the multiplier", () => {
    const dat = sampleAscii(sampleRaw, (index) => String(index * 500));
    expect(steps({ rates: ["0", "0,8"] }, dat)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500]);
    expect(steps({ rates: ["0", "0,8"], lines: { 13: "2" } }, dat)[1]).toBe(1000);
  });
  test("A-63 a row without a stamp is refused when only stamps give the time, in ASCII and in binary", () => {
    const dat = sampleAscii(sampleRaw, (index) => (index === 3 ? "" : String(index * 500)));
    expect(() => steps({ rates: ["0", "0,8"] }, dat)).toThrow("neither sampling rates nor time stamps");
    expect(steps({ rates: ["1", "1000,8"] }, dat)[3]).toBe(3000);
    const binary = sampleBinary("BINARY");
    const rowBytes = binary.length / sampleRaw.length;
    new DataView(binary.buffer).setUint32(3 * rowBytes + 4, 0xff_ff_ff_ff, true);
    const byStamps = { revision: "1999", format: "BINARY", rates: ["0", "0,8"] } as const;
    expect(() => read({ ...byStamps, rates: [...byStamps.rates] }, binary)).toThrow("neither sampling rates nor time stamps");
  });
  test("stamps count nanoseconds when the clock has nine digits", () => {
    const lines = { 10: "08/03/2024,12:00:00.000000000", 11: "08/03/2024,12:00:00.000000000" };
    expect(
      steps(
        { revision: "2013", rates: ["0", "0,8"], lines },
        sampleAscii(sampleRaw, (index) => String(index * 500_000)),
      )[1],
    ).toBe(500);
  });
});

describe("what is broken is refused with the place", () => {
  test.each<[string, SampleOptions, string | Uint8Array | undefined, string]>([
    ["no channel counts", { lines: { 1: "many" } }, undefined, 'CFG line 2: "many" does not give the numbers of channels'],
    ["counts that do not add up", { lines: { 1: "9,3A,2D" } }, undefined, "CFG line 2: 9 channels are not 3 analog and 2 status channels"],
    ["a forged count", { lines: { 1: "2000000,1000000A,1000000D" } }, undefined, "CFG line 2: 2000000 channels are more than 10000"],
    [
      "a multiplier that is no number",
      { lines: { 2: "1,IA,A,,A,half,0,0,0,0" } },
      undefined,
      'CFG analog channel 1: multiplier "half" is no number',
    ],
    ["an unknown format", { lines: { 12: "BASE64" } }, undefined, 'CFG: unknown data format "BASE64"'],
    ["rates that fall", { rates: ["2", "960,8", "480,4"] }, undefined, "CFG: the last samples of the sampling rates do not rise"],
    ["a rate that is none", { rates: ["1", "fast,8"] }, undefined, 'CFG: sampling rate "fast" is no number'],
    ["missing rows", {}, sampleAscii(sampleRaw.slice(0, 5)), "DAT: 5 of 8 rows"],
    ["a row cut off", {}, sampleAscii().replace(/^2,.*$/m, "2,1042,20"), "DAT row 2: 3 of 7 values"],
    ["a row that lacks its last value", {}, sampleAscii().replace(/^(2,.*),\d\r$/m, "$1\r"), "DAT row 2: 6 of 7 values"],
    ["a word in the data", {}, sampleAscii().replace("-60", "x"), 'DAT row 3: "x" is no number'],
    ["binary data cut off", { format: "BINARY" }, sampleBinary("BINARY").subarray(0, 100), "DAT: 6 of 8 rows"],
    [
      "no way to find the time",
      { rates: ["0", "0,8"] },
      sampleAscii(sampleRaw, () => ""),
      "DAT: neither sampling rates nor time stamps give the time",
    ],
    [
      "time that goes back",
      { rates: ["0", "0,8"] },
      sampleAscii(sampleRaw, (index) => String(9 - index)),
      "DAT: the time stamps go backwards",
    ],
  ])("%s", (_, options, dat, message) => {
    expect(() => read(options, dat)).toThrow(new WaveformError(message));
  });

  test("a configuration that ends too early names the line that is missing", () => {
    const lines = sampleConfig().split("\r\n");
    for (let count = 0; count < 12; count++) {
      expect(() => readComtrade(bytesOf(lines.slice(0, count).join("\r\n")), bytesOf(sampleAscii()))).toThrow(WaveformError);
    }
    expect(() => readComtrade(bytesOf(lines.slice(0, 3).join("\r\n")), new Uint8Array())).toThrow(
      "CFG: the line of analog channel 2 is missing",
    );
  });
});

describe("what would fill memory or time", () => {
  test("bytes that make no whole row are refused, fill bytes are not", () => {
    const binary = sampleBinary("BINARY");
    const withRest = (...rest: number[]) => read({ revision: "2013", format: "BINARY" }, Buffer.concat([binary, Uint8Array.from(rest)]));
    expect(withRest(0x1a).analogs).toHaveLength(3);
    expect(() => withRest(7)).toThrow("DAT: bytes after the last row: 1, a row has 16");
    expect(() => read({ revision: "2013", format: "BINARY" }, binary.subarray(0, -1))).toThrow("DAT: 7 of 8 rows");
  });
  test("a record without samples, a claim of a billion, a configuration of megabytes", () => {
    expect(() => read({ rates: ["0", "0,0"] })).toThrow("CFG: the record has no sample");
    expect(() => read({ rates: ["1", "960,1000000000"] })).toThrow("DAT: 8 of 1000000000 rows");
    expect(() => readComtrade(bytesOf(`${sampleConfig()}${",".repeat(4_000_000)}`), bytesOf(sampleAscii()))).toThrow(
      /^CFG: \d+ characters are more than a configuration has$/,
    );
  });
  test("a combined file of blanks", () => {
    expect(() => splitCff(bytesOf(`--- file type: CFG${" ".repeat(5_000_000)}`))).toThrow("CFF: the section of the configuration");
  });
  test("an ASCII row of millions of values, millions of blank lines", () => {
    expect(read({}, `${sampleAscii()}${"\r\n".repeat(3_000_000)}`).analogs).toHaveLength(3);
    expect(read({}, `${sampleAscii()}${",1".repeat(3_000_000)}`).analogs).toHaveLength(3);
  });
});

describe("A-23 a trigger that no one set", () => {
  const unset = ["01/01/1970,00:00:00.000000", "00/00/0000,00:00:00.000000", "01/01/1900,00:00:00", ",", "01/01/1970,07:00:00.000000"];
  test.each(unset)("as %s is none: time counts from the first sample", (line) => {
    const waveform = read({ lines: { 11: line } });
    expect([waveform.triggeredAt, waveform.times[0], waveform.warnings]).toEqual([undefined, 0, []]);
    expect(describeComtrade(bytesOf(sampleConfig({ lines: { 11: line } }))).triggeredAt).toBeUndefined();
  });
  test("in the edition of 1991", () => {
    const waveform = read({ revision: "1991", lines: { 11: "01/01/70,00:00:00.000000" } });
    expect([waveform.triggeredAt, waveform.times[0]]).toEqual([undefined, 0]);
  });
  test("of a recorder whose clock was never set marks its place in the record all the same, and no day", () => {
    const lines = { 10: "01/01/1970,00:03:00.000000", 11: "01/01/1970,00:03:00.002083" };
    const waveform = read({ lines });
    expect(waveform.triggeredAt).toBeUndefined();
    expect(waveform.times[0]).toBeCloseTo(-0.002083, 9);
    const { labels } = describeComtrade(bytesOf(sampleConfig({ lines })));
    expect(labels.filter(([name]) => name === "Trigger" || name === "First sample")).toEqual([]);
  });
  test("beside a first sample that no one set, a trigger with a date keeps it", () => {
    const waveform = read({ lines: { 10: "01/01/1970,00:00:00.000000" } });
    expect([waveform.triggeredAt, waveform.times[0]]).toEqual(["2024-03-08 12:00:00.002083", 0]);
  });
  test.each([
    ["08/03/2024,12:00:00.900000", {}, 0.9],
    ["08/03/2024,12:00:02.000000", {}, undefined],
    ["08/03/2024,12:00:02.000000", { rates: ["0", "0,8"] }, 2],
  ])("as %s is outside a record that is over by its rate, not of one whose length only stamps give: %j", (line, options, seconds) => {
    const waveform = read(
      { ...options, lines: { 10: "08/03/2024,12:00:00.000000", 11: line } },
      sampleAscii(sampleRaw, (index) => String(index * 500)),
    );
    expect(waveform.triggeredAt !== undefined).toBe(seconds !== undefined);
    expect(waveform.times[0]).toBeCloseTo(-(seconds ?? 0), 9);
  });
  test("or that is in another record is reported", () => {
    const waveform = read({ lines: { 11: "08/03/2023,12:00:00.000000" } });
    expect([waveform.triggeredAt, waveform.times[0], waveform.warnings]).toEqual([
      undefined,
      0,
      ["The time of the trigger is outside the record"],
    ]);
  });
});

test("A-23 units and the line frequency are read as recorders write them", () => {
  const { analogs, lineFrequency } = read({
    lines: { 2: "1,IA,A,,ampere,0.5,1,0,-32767,32767,1000,5,s", 4: "3,VA,A,,V rms,2,0,,-32767,32767,1,1,P", 7: "60 Hz" },
  });
  expect(analogs.map(({ unit }) => unit)).toEqual(["A", "A", "V"]);
  expect(lineFrequency).toBe(60);
  const units = { microamperes: "µA", "u V": "µV", μA: "µA", "milli volts": "mV", MVA: "MVA", mw: "MW", kiloohm: "kΩ", MAMP: "mA", "": "" };
  expect(Object.keys(units).map(canonicalUnit)).toEqual(Object.values(units));
});

test.each([["60"], ["60Hz"], ["60 \t hz"], ["60.0 HZ"]])("the line frequency %j is 60", (text) => {
  expect(read({ lines: { 7: text } }).lineFrequency).toBe(60);
});

test("words behind the line frequency are refused", () => {
  expect(() => read({ lines: { 7: "60 Hz 5" } })).toThrow("line frequency");
});

test("what a configuration says is read without its data; of a broken one its first line", () => {
  const { labels, triggeredAt } = describeComtrade(bytesOf(sampleConfig({ revision: "2013" })));
  expect(Object.fromEntries(labels)).toMatchObject({
    Station: "Alder Substation",
    Recorder: "RL-7",
    "Data format": "ASCII",
    "Time zone": "-5h30",
    "Sampling rate": "960 Hz",
    Samples: "8",
    Channels: "3 analog, 2 digital",
  });
  expect(triggeredAt).toBe("2024-03-08 12:00:00.002083");
  expect(describeComtrade(bytesOf(sampleConfig({ lines: { 1: "x" } }))).labels).toEqual([
    ["Station", "Alder Substation"],
    ["Recorder", "RL-7"],
    ["Revision", "1999"],
  ]);
  expect(describeComtrade(bytesOf("no\u0000name,x\n")).labels).toEqual([]);
});

describe("combined files", () => {
  const cff = (dataMarker: string, data: Uint8Array) =>
    Buffer.concat([
      bytesOf(
        `--- file type: CFG ---\r\n${sampleConfig({ revision: "2013", format: "BINARY" })}--- file type: INF ---\r\n\r\n--- File Type: HDR ---\r\nx\r\n`,
      ),
      bytesOf(`${dataMarker}\r\n`),
      data,
    ]);
  test("binary data that looks like a marker is data", () => {
    const data = Buffer.concat([sampleBinary("BINARY"), bytesOf("--- file type: CFG ---\r\n".padEnd(32))]);
    const sections = splitCff(cff(`--- file type: DAT BINARY: ${data.length} ---`, data));
    expect(Buffer.from(sections.dat)).toEqual(data);
    expect(readComtrade(sections.cfg, sections.dat).analogs).toHaveLength(3);
  });
  test("ASCII data without a length", () => {
    const bytes = bytesOf(`--- file type: CFG ---\n${sampleConfig({ revision: "2013" })}--- file type: DAT ASCII ---\n${sampleAscii()}`);
    const sections = splitCff(bytes);
    expect(list(readComtrade(sections.cfg, sections.dat).analogs[0]?.values)).toEqual(currentA);
  });
  test.each([
    "--- file type CFG ---",
    "---file type:CFG---",
    "--- FILE TYPE = CFG ---",
    "---- file_type: CFG ----",
    "--- filetype CFG",
    "--- file type: CFG: ---",
    "--- file  type :  cfg ---  ",
  ])("A-23 a marker is read as %s", (written) => {
    const config = sampleConfig({ revision: "2013", format: "BINARY" });
    const data = sampleBinary("BINARY");
    const counted = ["DAT BINARY 128", "DAT BINARY:128", "DAT BINARY : 128", "DAT BINARY 128 bytes", "DAT: BINARY", "DAT"];
    for (const section of counted) {
      const marker = written.replace(/cfg/i, section);
      const sections = splitCff(
        Buffer.concat([bytesOf(`\r\n${written}\r\n${config}${written.replace(/cfg/i, "HDR")}\nx\n${marker}\r\n`), data]),
      );
      expect([section, Buffer.from(sections.dat)]).toEqual([section, Buffer.from(data)]);
      expect(list(readComtrade(sections.cfg, sections.dat).analogs[0]?.values)).toEqual(currentA);
    }
  });
  test("without data, or cut off, they are refused", () => {
    expect(() => splitCff(bytesOf("--- file type: CFG ---\nx"))).toThrow("CFF: the section of the data (DAT) is missing");
    expect(() => splitCff(bytesOf("nothing"))).toThrow("CFF: the section of the configuration (CFG) is missing");
    expect(() => splitCff(cff("--- file type: DAT BINARY: 999 ---", sampleBinary("BINARY")))).toThrow("CFF: the data has 128 of 999 bytes");
  });
});

test("whatever the bytes, the record is read or refused with a sentence", () => {
  const config = bytesOf(sampleConfig({ format: "BINARY" }));
  const outcome = (cfg: Uint8Array, dat: Uint8Array) => {
    try {
      return readComtrade(cfg, dat).format;
    } catch (error) {
      return error instanceof WaveformError ? "COMTRADE" : error;
    }
  };
  assert(
    property(uint8Array({ maxLength: 300 }), (bytes) => {
      expect(outcome(config, bytes)).toBe("COMTRADE");
    }),
  );
  assert(
    property(nat(config.length - 1), uint8Array({ maxLength: 8 }), (at, bytes) => {
      const broken = Buffer.concat([config.subarray(0, at), bytes, config.subarray(at + bytes.length)]);
      expect(outcome(broken, sampleBinary("BINARY"))).toBe("COMTRADE");
    }),
    { numRuns: 1_000 },
  );
});
