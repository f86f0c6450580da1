import { readCevLine, type CevLine } from "./cev-lines.ts";
import { splitLines } from "./decode-text.ts";
import { canonicalUnit } from "./units.ts";
import { formatWallTime, isSet, parseWallTime } from "./wall-time.ts";
import { labelsOf, nothingSaid, type RecordHead } from "./record-head.ts";
import { WaveformError, type Waveform } from "./waveform.ts";

/**
 * Reads an SEL compressed ASCII event (CEV). Sections are found by what they hold, not by where they are. Every line's checksum is
 * checked: the sum of all bytes before it including the comma, modulo 65536.
 * @param text as `decodeText` gives it
 * @throws WaveformError that names the line
 */
export function readCev(text: string): Waveform {
  const lines = readLines(text);
  const relay = valuesUnder(lines, (fields) => fields[0] === "FID") ?? {};
  const moment = valuesUnder(lines, (fields) => fields.includes("MONTH") && fields.includes("MSEC")) ?? {};
  const summary = valuesUnder(lines, (fields) => fields.includes("FREQ") && fields.includes("SAM/CYC_A"));
  if (!summary) throw new WaveformError("CEV: the summary with FREQ and SAM/CYC_A is missing");
  const headerAt = lines.findIndex(({ fields }) => fields.includes("TRIG"));
  const header = lines[headerAt];
  if (!header) throw new WaveformError("CEV: the line of column names with TRIG is missing");
  const samplesPerSecond = numberOf(summary["FREQ"], "FREQ") * numberOf(summary["SAM/CYC_A"], "SAM/CYC_A");
  if (!(samplesPerSecond > 0)) throw new WaveformError("CEV: FREQ times SAM/CYC_A is no sampling rate");

  const columns = readColumns(header);
  const rows = lines.slice(headerAt + 1).filter(({ fields }) => fields.length === header.fields.length);
  const odd = lines.slice(headerAt + 1).find(({ fields }) => fields.length !== header.fields.length && /^[-\d]/.test(fields[0] ?? ""));
  if (odd) throw new WaveformError(`CEV line ${odd.number}: ${odd.fields.length} of ${header.fields.length} values`);
  if (rows.length === 0) throw new WaveformError("CEV: there is no sample");
  const trigger = Math.max(
    0,
    rows.findIndex(({ fields }) => fields[columns.triggerAt] === ">"),
  );
  const digitals = readDigitals(rows, columns);
  const analogs = columns.analogs.map(({ name, unit, at }) => ({
    name,
    phase: "",
    unit,
    values: Float64Array.from(rows, (row) => sampleOf(row, at)),
  }));
  const warnings = checkSampleCount(rows.length, summary);
  return {
    format: "CEV",
    station: relay["FID"]?.replace(/^FID=/, "") ?? "",
    device: relay["SER_NUM"] ?? "",
    revision: relay["CEV_VER"] ?? "",
    triggeredAt: momentText(moment),
    utcOffset: undefined,
    lineFrequency: numberOf(summary["FREQ"], "FREQ"),
    times: Float64Array.from(rows, (_, index) => (index - trigger) / samplesPerSecond),
    analogs,
    digitals,
    facts: factsOf(summary),
    warnings,
  };
}

/** What an event says of itself comes before its samples. */
const headLength = 65_536;

/** What the lines say whose checksums are right; nothing when there is none. */
export function describeCev(text: string): RecordHead {
  const lines: CevLine[] = [];
  for (const [index, raw] of splitLines(text.slice(0, headLength)).entries()) {
    const line = attempt(() => readCevLine(raw, index + 1));
    if (line?.fields[0] === "SETTINGS" || line?.fields.includes("TRIG")) break;
    if (line) lines.push(line);
  }
  const relay = valuesUnder(lines, (fields) => fields[0] === "FID") ?? {};
  const moment = valuesUnder(lines, (fields) => fields.includes("MONTH") && fields.includes("MSEC"));
  const summary = valuesUnder(lines, (fields) => fields.includes("FREQ") && fields.includes("SAM/CYC_A")) ?? {};
  if (relay["FID"] === undefined && summary["FREQ"] === undefined) return nothingSaid;
  const triggeredAt = moment && momentText(moment);
  const rate = Number(summary["FREQ"]) * Number(summary["SAM/CYC_A"]);
  return {
    labels: labelsOf([
      ["Relay", relay["FID"]?.replace(/^FID=/, "")],
      ["Part number", relay["PART_NUM"]],
      ["Relay's serial number", relay["SER_NUM"]],
      ["Version of the format", relay["CEV_VER"]],
      ...Object.entries(factsOf(summary)),
      ["Trigger", triggeredAt],
      ["Line frequency", summary["FREQ"] && `${summary["FREQ"]} Hz`],
      ["Sampling rate", rate > 0 ? `${rate} Hz` : undefined],
      ["Cycles", summary["NUM_OF_CYC"]],
      ["Primary values", summary["PRIM_VAL"]],
    ]),
    triggeredAt,
    event: [summary["EVENT"], summary["TARGETS"]].filter(Boolean).join(" "),
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WaveformError) return undefined;
    throw error;
  }
}

/** NUM_OF_CYC against the samples; relays round a cycle at the end. @returns warnings @throws WaveformError when more than a cycle is missing */
function checkSampleCount(found: number, summary: Record<string, string>): string[] {
  const perCycle = Number(summary["SAM/CYC_A"]);
  const expected = Number(summary["NUM_OF_CYC"] || "0") * perCycle;
  if (!(expected > found)) return [];
  const message = `${found} of ${Math.ceil(expected)} samples`;
  if (expected - found > perCycle) throw new WaveformError(`CEV: ${message}`);
  return [message];
}

/** More than any relay writes; each line that is kept costs memory. */
const maxLines = 400_000;

function readLines(text: string): CevLine[] {
  const lines: CevLine[] = [];
  const raws = splitLines(text);
  if (raws.length > maxLines) throw new WaveformError(`CEV: ${raws.length} lines are more than an event has`);
  for (const [index, raw] of raws.entries()) {
    const line = readCevLine(raw, index + 1);
    // What follows are settings: text without checksums.
    if (line?.fields[0] === "SETTINGS") break;
    if (line) lines.push(line);
    else if (raw.trim().startsWith('"') || /^[-\d]/.test(raw.trim())) throw new WaveformError(`CEV line ${index + 1}: no checksum`);
  }
  if (lines.length === 0) throw new WaveformError("CEV: no line of compressed ASCII");
  return lines;
}

/** Values of the line after the header that fits, by name; units in brackets are dropped from the names. */
function valuesUnder(lines: CevLine[], isHeader: (fields: string[]) => boolean): Record<string, string> | undefined {
  const at = lines.findIndex(({ fields }) => isHeader(fields));
  const [header, values] = [lines[at], lines[at + 1]];
  if (at === -1 || !header || !values) return undefined;
  return Object.fromEntries(header.fields.map((name, index) => [name.replace(/\(.*\)$/, ""), values.fields[index] ?? ""]));
}

interface Columns {
  analogs: { name: string; unit: string; at: number }[];
  triggerAt: number;
  digitalAt: number;
  /** Undefined where a bit is not used. */
  digitalNames: (string | undefined)[];
}

function readColumns({ fields }: CevLine): Columns {
  const triggerAt = fields.indexOf("TRIG");
  const digitalAt = triggerAt + 1;
  const names = (fields[digitalAt] ?? "").split(/\s+/).filter(Boolean);
  return {
    analogs: fields.slice(0, triggerAt).map((text, at) => {
      const [, name = text, unit = ""] = /^(.*?)\s*\((.*)\)$/.exec(text) ?? [];
      return { name, unit: text === "FREQ" ? "Hz" : canonicalUnit(unit), at };
    }),
    triggerAt,
    digitalAt,
    digitalNames: names.map((name) => (name === "*" ? undefined : name)),
  };
}

function readDigitals(rows: CevLine[], { digitalAt, digitalNames }: Columns): Waveform["digitals"] {
  const channels = digitalNames.map((name) => (name === undefined ? undefined : { name, values: new Uint8Array(rows.length) }));
  // Between samples of the digital channels the field is blank: the last word holds.
  let word = "";
  for (const [index, row] of rows.entries()) {
    word = row.fields[digitalAt] || word;
    if (!/^[0-9A-Fa-f]*$/.test(word)) throw new WaveformError(`CEV line ${row.number}: "${word.slice(0, 40)}" is no hexadecimal word`);
    if (word !== "" && word.length * 4 < digitalNames.length)
      throw new WaveformError(`CEV line ${row.number}: ${word.length * 4} of ${digitalNames.length} digital channels`);
    for (const [bit, channel] of channels.entries()) {
      if (channel) channel.values[index] = bitOf(word, bit);
    }
  }
  return channels.filter((channel) => channel !== undefined);
}

/** Bit 0 is the highest of the first digit. */
const bitOf = (word: string, bit: number): number => (Number.parseInt(word[bit >> 2] ?? "0", 16) >> (3 - (bit & 3))) & 1;

function sampleOf({ fields, number }: CevLine, at: number): number {
  const text = fields[at] ?? "";
  if (text === "") return Number.NaN;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new WaveformError(`CEV line ${number}: "${text.slice(0, 40)}" is no number`);
  return value;
}

function numberOf(text: string | undefined, what: string): number {
  const value = Number(text);
  if (text === undefined || text === "" || !Number.isFinite(value)) throw new WaveformError(`CEV: ${what} "${text ?? ""}" is no number`);
  return value;
}

function momentText(moment: Record<string, string>): string | undefined {
  const { MONTH, DAY, YEAR, HOUR, MIN, SEC, MSEC = "0" } = moment;
  const at = parseWallTime(`${MONTH}/${DAY}/${YEAR}`, `${HOUR}:${MIN}:${SEC}.${MSEC.padStart(3, "0")}`, true);
  return at && isSet(at) ? formatWallTime(at) : undefined;
}

function factsOf(summary: Record<string, string>): Record<string, string> {
  const names: Record<string, string> = {
    EVENT: "Event",
    LOCATION: "Fault location",
    SHOT: "Shot",
    TARGETS: "Targets",
    REF_NUM: "Reference",
    REC_NUM: "Record",
  };
  return Object.fromEntries(Object.entries(names).flatMap(([key, label]) => (summary[key] ? [[label, summary[key]]] : [])));
}
