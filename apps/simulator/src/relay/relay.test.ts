import { describe, expect, test } from "vitest";
import { cevFile } from "./cev-file.ts";
import { comtradeFiles } from "./comtrade-files.ts";
import { makeRelayRecord } from "./relay-record.ts";
import { eventLog, eventReport } from "./relay-reports.ts";

const site = { seed: 3, serial: 10_701, relay: "SEL-751-R401", location: "Main", volts: 4_160, amps: 300, frequency: 60 };
const at = Date.UTC(2026, 4, 6, 7, 8, 9) / 1000;
const records = Array.from({ length: 40 }, (_, number) => makeRelayRecord(site, number, at + number * 60));
const rms = (values: number[]) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe("a relay's record", () => {
  test("load before the trigger, the fault's currents after it, none once the breaker is open", () => {
    const trip = records.find(({ fault }) => fault.event === "ABC T")!;
    const ia = trip.analogs[0]!.values;
    expect(rms(ia.slice(0, 64))).toBeCloseTo(300, -1);
    expect(rms(ia.slice(80, 128))).toBeGreaterThan(2_000);
    expect(rms(ia.slice(200))).toBeLessThan(5);
    const va = trip.analogs[4]!.values;
    expect(rms(va.slice(0, 64))).toBeCloseTo(4.16 / Math.sqrt(3), 1);
    expect(rms(va.slice(80, 128)) / rms(va.slice(0, 64))).toBeCloseTo(0.3, 1);
    expect(trip.digitals[0]!.states.indexOf(1)).toBeGreaterThan(trip.triggerIndex);
  });
  test("is the same again, and of every kind among forty", () => {
    expect(makeRelayRecord(site, 7, at)).toEqual(makeRelayRecord(site, 7, at));
    expect(new Set(records.map(({ fault }) => fault.kind))).toEqual(new Set(["trip", "alarm", "recording"]));
  });
});

describe("its files", () => {
  test("CEV lines are sealed as SEL does", () => {
    const lines = cevFile(records[0]!).split("\r\n");
    expect(lines.find((line) => line.startsWith('"SETTINGS"'))).toBe('"SETTINGS","02E1"');
    expect(lines.filter((line) => line.includes('">"'))).toHaveLength(1);
  });
  test("COMTRADE data have a row per sample that the configuration announces", () => {
    const { cfg, dat } = comtradeFiles(records[0]!);
    expect(cfg.split("\r\n")[1]).toBe("15,7A,8D");
    expect(cfg).toContain("960,240");
    expect(dat).toHaveLength(240 * (8 + 14 + 2));
  });
  test("reports are text with head, trigger and targets", () => {
    const trip = records.find(({ fault }) => fault.kind === "trip")!;
    const report = eventReport(trip);
    expect(report).toContain("FID=SEL-751-R401");
    expect(report).toContain(`Event: ${trip.fault.event}`);
    expect(report.match(/\d> /g)).toHaveLength(1);
    const log = eventLog("F60", records.slice(0, 3));
    expect(log.split("\r\n")[5]).toMatch(/^0, May 06 2026 07:08:09\.\d{6}, OSCILLOGRAPHY TRIGGERED$/);
  });
});
