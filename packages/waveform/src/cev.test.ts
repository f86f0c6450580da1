import { describe, expect, test } from "vitest";
import { cevChecksum, readCevLine } from "./cev-lines.ts";
import { describeCev, readCev } from "./cev.ts";
import { readEve } from "./eve.ts";
import { readEventRecorder } from "./event-recorder.ts";
import { WaveformError } from "./waveform.ts";

const line = (body: string) => `${body}"${cevChecksum(body).toString(16).toUpperCase().padStart(4, "0")}"`;

const digitals = (names: string) => `"${names}",`;
function sampleCev({
  names = "TRIP * 52A ALARM 51P1T",
  rows,
  head = '"FID","CEV_VER","PART_NUM","SER_NUM",',
}: { names?: string; rows?: string[]; head?: string } = {}): string {
  return [
    line(head),
    line('"FID=SEL-751-R401-V0-Z101100-D20240308","1.0","0751","123",'),
    line('"MONTH","DAY","YEAR","HOUR","MIN","SEC","MSEC",'),
    line("3,8,2024,9,5,7,42,"),
    line('"REF_NUM","FREQ","SAM/CYC_A","SAM/CYC_D","NUM_OF_CYC","PRIM_VAL","EVENT","TARGETS","IA(A)",'),
    line('10012,60.00,4,2,1,"YES","Phase A T","11001000",512,'),
    line(`"IA(A)","IB(A)","VAB(V)","FREQ","TRIG",${digitals(names)}`),
    ...(rows ?? [
      line('10,-10,480.5,60.00," ","00",'),
      line('20,-20,481.5,60.00," ","",'),
      line('300,-30,400.5,60.00,">","A8",'),
      line('310,-31,399.5,60.00,"*","",'),
    ]),
    line('"SETTINGS",'),
    '"PHROT := ABC',
    "CTR := 100",
  ].join("\r\n");
}

describe("checksums", () => {
  test.each([
    ['"FID",', "0143"],
    ['"FID=SEL-751-R401-V0-Z101100-D20240308",', "08A3"],
    ['"CID=1D4A",', "0267"],
    ['"DEVID=SEL-751",', "03C7"],
    ['"PARTNO=0351S61H3351321",', "05AE"],
    ['"SETTINGS",', "02E1"],
  ])("%s is %s", (body, checksum) => {
    expect(cevChecksum(body).toString(16).toUpperCase().padStart(4, "0")).toBe(checksum);
    expect(readCevLine(`${body}"${checksum}"`, 1)?.fields).toHaveLength(1);
  });

  test("one changed byte is found and its line named", () => {
    const lines = sampleCev().split("\r\n");
    for (let index = 0; index < 11; index++) {
      const broken = lines.with(
        index,
        lines[index]!.replace(/[0-9A-Z]/, (character) => (character === "7" ? "8" : "7")),
      );
      expect(() => readCev(broken.join("\r\n"))).toThrow(`CEV line ${index + 1}: checksum mismatch`);
    }
  });
});

test("samples, trigger, time and digital channels are read; unused bits leave the others in place; blank words hold the last", () => {
  const waveform = readCev(sampleCev());
  expect(waveform).toMatchObject({
    station: "SEL-751-R401-V0-Z101100-D20240308",
    device: "123",
    triggeredAt: "2024-03-08 09:05:07.042000",
    lineFrequency: 60,
    facts: { Event: "Phase A T", Targets: "11001000", Reference: "10012" },
  });
  expect(Array.from(waveform.times)).toEqual([-2 / 240, -1 / 240, 0, 1 / 240]);
  expect(waveform.analogs.map(({ name, unit, values }) => [name, unit, values[2]])).toEqual([
    ["IA", "A", 300],
    ["IB", "A", -30],
    ["VAB", "V", 400.5],
    ["FREQ", "Hz", 60],
  ]);
  // A8 = 1010 1000
  expect(waveform.digitals.map(({ name, values }) => [name, Array.from(values)])).toEqual([
    ["TRIP", [0, 0, 1, 1]],
    ["52A", [0, 0, 1, 1]],
    ["ALARM", [0, 0, 0, 0]],
    ["51P1T", [0, 0, 1, 1]],
  ]);
});

test("what a relay says of an event is in its facts, and nothing that it leaves empty", () => {
  const lines = sampleCev().split("\r\n");
  lines[4] = line('"REC_NUM","FREQ","SAM/CYC_A","SAM/CYC_D","NUM_OF_CYC","PRIM_VAL","EVENT","LOCATION","SHOT","TARGETS",');
  lines[5] = line('7,60.00,4,2,1,"YES","AG T","12.5","2","",');
  expect(readCev(lines.join("\r\n")).facts).toEqual({ Event: "AG T", "Fault location": "12.5", Shot: "2", Record: "7" });
});

test("sections are found by what they hold: further lines between them, the short head, control characters of a serial line", () => {
  const [fid = "", fidValue = "", ...rest] = sampleCev({ head: '"FID",' }).split("\r\n");
  const text = [`\u0002${fid}`, fidValue, line('"NOTE",'), line('"hello",'), ...rest].join("\n");
  expect(readCev(text).analogs[0]?.values).toHaveLength(4);
});

describe("what is broken is refused with the place", () => {
  test.each<[string, string, string]>([
    ["an empty file", "", "CEV: no line of compressed ASCII"],
    ["text of something else", "hello\nworld", "CEV: no line of compressed ASCII"],
    ["lines without end", `${sampleCev()}${"\n".repeat(400_000)}`, "CEV: 400014 lines are more than an event has"],
    ["no summary", sampleCev().replace(/^"REF_NUM".*\r?\n.*\r?\n/m, ""), "CEV: the summary with FREQ and SAM/CYC_A is missing"],
    ["no samples", sampleCev({ rows: [] }), "CEV: there is no sample"],
    ["a word for a number", sampleCev({ rows: [line('ten,-10,480.5,60.00," ","00",')] }), 'CEV line 8: "ten" is no number'],
    ["digits that are none", sampleCev({ rows: [line('1,1,1,60.00," ","XY",')] }), 'CEV line 8: "XY" is no hexadecimal word'],
    ["too few digital bits", sampleCev({ rows: [line('1,1,1,60.00," ","0",')] }), "CEV line 8: 4 of 5 digital channels"],
    ["a line cut off", sampleCev({ rows: ['10,-10,480.5,60.00," "'] }), "CEV line 8: no checksum"],
    [
      "no rate",
      sampleCev().replace(/^10012.*$/m, line('10012,60.00,0,2,1,"YES","E","1",512,')),
      "CEV: FREQ times SAM/CYC_A is no sampling rate",
    ],
  ])("%s", (_, text, message) => {
    expect(() => readCev(text)).toThrow(new WaveformError(message));
  });
});

test("more than a cycle too few samples is a file cut off, less is reported", () => {
  const cycles = (count: string) => sampleCev().replace(/^10012.*$/m, line(`10012,60.00,4,2,${count},"YES","E","1",512,`));
  expect(readCev(cycles("2")).warnings).toEqual(["4 of 8 samples"]);
  expect(() => readCev(cycles("3"))).toThrow(new WaveformError("CEV: 4 of 12 samples"));
  expect(() => readCev(sampleCev({ rows: [line('1,1,1,60.00," ","00",'), line("1,1,1,60.00,")] }))).toThrow("CEV line 9: 4 of 6 values");
});

test("of a broken event what the sound lines say is reported", () => {
  const whole = describeCev(sampleCev());
  expect(Object.fromEntries(whole.labels)).toMatchObject({
    Relay: "SEL-751-R401-V0-Z101100-D20240308",
    "Relay's serial number": "123",
    Event: "Phase A T",
    Targets: "11001000",
    "Sampling rate": "240 Hz",
    Trigger: "2024-03-08 09:05:07.042000",
  });
  expect(whole.event).toBe("Phase A T 11001000");
  expect(describeCev(sampleCev().replace("Phase A T", "Phase B T")).labels.map(([name]) => name)).toEqual([
    "Relay",
    "Part number",
    "Relay's serial number",
    "Version of the format",
    "Trigger",
  ]);
  expect(describeCev("hello").labels).toEqual([]);
});

test("of an event the head alone, without samples or before its settings, says what it is; of other compressed lines nothing is said", () => {
  const lines = sampleCev().split("\r\n");
  const named = (text: string) => Object.fromEntries(describeCev(text).labels);
  expect(named(lines.slice(0, 2).join("\n"))).toEqual({
    Relay: "SEL-751-R401-V0-Z101100-D20240308",
    "Part number": "0751",
    "Relay's serial number": "123",
    "Version of the format": "1.0",
  });
  expect(named(lines.slice(4, 6).join("\n"))).toMatchObject({ "Line frequency": "60.00 Hz", Cycles: "1", "Primary values": "YES" });
  expect(describeCev(lines.slice(2, 4).join("\n"))).toMatchObject({ labels: [], triggeredAt: undefined });
  expect(named([line('"SETTINGS",'), ...lines].join("\n"))).toEqual({});
  const silent = lines.with(5, line('10012,60.00,4,2,1,"YES","","11001000",512,')).join("\n");
  expect(describeCev(silent).event).toBe("11001000");
});

test("a relay without an identification has its samples all the same, and short lines between samples are passed over", () => {
  const [, , ...rest] = sampleCev().split("\r\n");
  expect(readCev(rest.join("\n"))).toMatchObject({ station: "", device: "", revision: "" });
  const at = rest.findIndex((each) => each.startsWith("20,"));
  expect(readCev(rest.toSpliced(at, 0, line('"a note",')).join("\n")).analogs[0]?.values).toHaveLength(4);
});

test("of a printed report one of relay and event is enough; without both nothing is said", () => {
  expect(readEve("FID=SEL-351-5-R107\n").labels).toEqual([["Relay", "SEL-351-5-R107"]]);
  expect(readEve("Event: AG T  Location: 2.36\n")).toMatchObject({ triggeredAt: undefined, event: "AG T" });
  expect(readEve("Date: 03/08/2024   Time: 12:01:02.345\nTargets: TRIP INST 50\n")).toMatchObject({ labels: [], triggeredAt: undefined });
  expect(readEve("FID=A\nDate: 03/08/2024\n").triggeredAt).toBe("03/08/2024");
});

test("of a printed report the head is read", () => {
  const report = readEve(
    "FID=SEL-351-5-R107\r\nFEEDER 1   Date: 03/08/2024   Time: 12:01:02.345\r\n\r\nEvent: AG T  Location: 2.36  Shot: 0\r\nTargets: TRIP INST 50\r\n",
  );
  expect(report).toEqual({
    labels: [
      ["Relay", "SEL-351-5-R107"],
      ["Event", "AG T"],
      ["Targets", "TRIP INST 50"],
      ["Fault location", "2.36"],
      ["Shot", "0"],
      ["Trigger", "03/08/2024 12:01:02.345"],
    ],
    triggeredAt: "03/08/2024 12:01:02.345",
    event: "AG T TRIP INST 50",
  });
  expect(readEve("nothing").labels).toEqual([]);
  // Read in a moment, whatever it holds: a second would already be too long for it.
  expect(readEve("\n ".repeat(5_000_000)).labels).toEqual([]);
});

describe("a relay's event log", () => {
  const log = [
    "GE Multilin F60 Feeder Relay",
    "Device: F60-H00",
    "Firmware = 7.60",
    "101, Jan 14 2024 15:30:00.100000, SETTING CHANGED",
    "102, Jan 14 2024 15:32:01.123456, PHASE TOC1 OP",
    "103, Jan 14 2024 15:32:01.140000, TRIP ON",
  ];
  test("its head, its newest event, and what happened with it", () => {
    expect(readEventRecorder(log.join("\r\n"))).toEqual({
      labels: [
        ["Device", "F60-H00"],
        ["Firmware", "7.60"],
        ["Events in the log", "3"],
        ["Newest event", "TRIP ON"],
        ["Time of the newest event", "Jan 14 2024 15:32:01.140000"],
      ],
      triggeredAt: "Jan 14 2024 15:32:01.140000",
      event: "TRIP ON, PHASE TOC1 OP",
    });
    expect(readEventRecorder(log.toReversed().join("\n")).event).toBe("TRIP ON, PHASE TOC1 OP");
    const wholeSeconds = log.map((row) => row.replace(/\.\d{6},/, ",").replace("15:32:01, PHASE", "15:32:00, PHASE"));
    expect(readEventRecorder(wholeSeconds.join("\n")).event).toBe("TRIP ON, PHASE TOC1 OP");
  });
  test("another text has its head or nothing", () => {
    expect(readEventRecorder("#VDF=2\n#kind=E\n").labels).toEqual([
      ["VDF", "2"],
      ["kind", "E"],
    ]);
    expect(readEventRecorder("hello\u0000world").labels).toEqual([]);
  });
});
