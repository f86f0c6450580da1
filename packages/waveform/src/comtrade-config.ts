import { splitLines } from "./decode-text.ts";
import { canonicalUnit } from "./units.ts";
import { parseWallTime, type WallTime } from "./wall-time.ts";
import { WaveformError } from "./waveform.ts";

export const dataFormats = ["ASCII", "BINARY", "BINARY32", "FLOAT32"] as const;
export type DataFormat = (typeof dataFormats)[number];

/** Configuration (CFG) of a COMTRADE record: IEEE C37.111-1991, -1999 and -2013 (IEC 60255-24:2013). */
export interface ComtradeConfig {
  station: string;
  device: string;
  revision: string;
  analogs: AnalogConfig[];
  digitals: { name: string }[];
  lineFrequency: number | undefined;
  /** Samples a second up to and including a sample's number; empty when only the data's own time stamps give the time. */
  rates: { samplesPerSecond: number; lastSample: number }[];
  /** Number of samples that the record has. */
  sampleCount: number;
  firstSampleAt: WallTime | undefined;
  triggeredAt: WallTime | undefined;
  dataFormat: DataFormat;
  timeMultiplier: number;
  utcOffset: string | undefined;
}

/** A stored value x means a·x + b in `unit`, times `toPrimary` on the primary side. */
export interface AnalogConfig {
  name: string;
  phase: string;
  unit: string;
  a: number;
  b: number;
  toPrimary: number;
}

/** More than any recorder has; keeps a forged count from being believed. */
const maxChannels = 10_000;
const maxRates = 1_000;
/** Characters; also of the longest line that is taken apart. */
const maxLength = 4_000_000;

/** @throws WaveformError that names the line */
export function parseComtradeConfig(text: string): ComtradeConfig {
  if (text.length > maxLength) throw new WaveformError(`CFG: ${text.length} characters are more than a configuration has`);
  const lines = splitLines(text);
  let index = 0;
  const nextLine = (what: string): string[] => {
    const line = lines[index++];
    if (line === undefined) throw new WaveformError(`CFG: the line of ${what} is missing`);
    return line.split(",").map((field) => field.trim());
  };

  const [station = "", device = "", revision = "1991"] = nextLine("the station");
  const { analogCount, digitalCount } = readCounts(nextLine("the channel counts"));
  const analogs = Array.from({ length: analogCount }, (_, n) => readAnalog(nextLine(`analog channel ${n + 1}`), n + 1));
  const digitals = Array.from({ length: digitalCount }, (_, n) => ({ name: nextLine(`status channel ${n + 1}`)[1] || `D${n + 1}` }));
  const lineFrequency = optionalNumber(nextLine("the line frequency")[0]?.replace(/[ \t]{0,9}hz$/i, ""), "line frequency");
  const rates = readRates(nextLine);
  const isMonthFirst = revision === "1991" || revision === "";
  const [firstDate = "", firstTime = ""] = nextLine("the first sample's time");
  const [triggerDate = "", triggerTime = ""] = nextLine("the trigger's time");
  const sampleCount = rates.at(-1)?.lastSample ?? 0;
  if (sampleCount === 0) throw new WaveformError("CFG: the record has no sample");
  const dataFormat = readFormat(nextLine("the data format")[0] ?? "");
  const timeMultiplier = optionalNumber(lines[index++]?.trim(), "time multiplier") ?? 1;
  const utcOffset = lines[index]?.split(",")[0]?.trim();

  return {
    station,
    device,
    revision: revision || "1991",
    analogs,
    digitals,
    lineFrequency,
    rates: rates.filter(({ samplesPerSecond }) => samplesPerSecond > 0),
    sampleCount,
    firstSampleAt: parseWallTime(firstDate, firstTime, isMonthFirst),
    triggeredAt: parseWallTime(triggerDate, triggerTime, isMonthFirst),
    dataFormat,
    timeMultiplier,
    utcOffset: utcOffset || undefined,
  };
}

function readCounts(fields: string[]): { analogCount: number; digitalCount: number } {
  const countOf = (letter: string) => fields.find((field) => new RegExp(`^\\d+${letter}$`, "i").test(field))?.slice(0, -1);
  const [analogCount, digitalCount] = [Number(countOf("A")), Number(countOf("D"))];
  const total = Number(fields[0]);
  if (!Number.isInteger(analogCount) || !Number.isInteger(digitalCount)) {
    throw new WaveformError(`CFG line 2: "${fields.join(",")}" does not give the numbers of channels`);
  }
  if (total !== analogCount + digitalCount) {
    throw new WaveformError(`CFG line 2: ${fields[0]} channels are not ${analogCount} analog and ${digitalCount} status channels`);
  }
  if (total > maxChannels) throw new WaveformError(`CFG line 2: ${total} channels are more than ${maxChannels}`);
  return { analogCount, digitalCount };
}

// An,id,ph,ccbm,uu,a,b,skew,min,max[,primary,secondary,PS]
function readAnalog(fields: string[], number: number): AnalogConfig {
  const [, name = "", phase = "", , unit = "", a, b, , , , primary, secondary, side = ""] = fields;
  const where = `CFG analog channel ${number}`;
  const [primaryValue, secondaryValue] = [optionalNumber(primary, `${where}: primary`), optionalNumber(secondary, `${where}: secondary`)];
  const hasRatio = /^S/i.test(side) && primaryValue && secondaryValue;
  return {
    name: name || `A${number}`,
    phase,
    unit: canonicalUnit(unit),
    a: optionalNumber(a, `${where}: multiplier`) ?? 1,
    b: optionalNumber(b, `${where}: offset`) ?? 0,
    toPrimary: hasRatio ? primaryValue / secondaryValue : 1,
  };
}

function readRates(nextLine: (what: string) => string[]): { samplesPerSecond: number; lastSample: number }[] {
  const [countText = ""] = nextLine("the number of sampling rates");
  const count = Number(countText);
  if (countText === "" || !Number.isInteger(count) || count < 0 || count > maxRates) {
    throw new WaveformError(`CFG: "${countText}" is no number of sampling rates`);
  }
  // Without a rate one line still gives the number of samples.
  const rates = Array.from({ length: Math.max(1, count) }, (_, index) => {
    const [rate, last] = nextLine(`sampling rate ${index + 1}`);
    const samplesPerSecond = optionalNumber(rate, "sampling rate") ?? 0;
    const lastSample = optionalNumber(last, "last sample of a rate") ?? Number.NaN;
    if (samplesPerSecond < 0 || !Number.isInteger(lastSample) || lastSample < 0)
      throw new WaveformError(`CFG: sampling rate ${index + 1} is "${rate},${last}"`);
    return { samplesPerSecond, lastSample };
  });
  const isRising = rates.every(({ lastSample }, index) => index === 0 || lastSample >= (rates[index - 1]?.lastSample ?? 0));
  if (!isRising) throw new WaveformError("CFG: the last samples of the sampling rates do not rise");
  return rates;
}

function readFormat(text: string): DataFormat {
  const format = dataFormats.find((each) => each === text.toUpperCase());
  if (!format) throw new WaveformError(`CFG: unknown data format "${text}"`);
  return format;
}

function optionalNumber(text: string | undefined, what: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new WaveformError(`${what.startsWith("CFG") ? "" : "CFG: "}${what} "${text}" is no number`);
  return value;
}
