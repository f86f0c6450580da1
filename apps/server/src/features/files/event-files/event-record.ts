import type { EventFormat, EventKind } from "@busbar/contract/files/event-files.ts";
import { splitCff } from "@busbar/waveform/cff.ts";
import { describeCev, readCev } from "@busbar/waveform/cev.ts";
import { describeComtrade, readComtrade } from "@busbar/waveform/comtrade.ts";
import { decodeText, withoutFrame } from "@busbar/waveform/decode-text.ts";
import { readEve } from "@busbar/waveform/eve.ts";
import { readEventRecorder } from "@busbar/waveform/event-recorder.ts";
import { nothingSaid, type RecordHead } from "@busbar/waveform/record-head.ts";
import { WaveformError, type DigitalChannel, type Waveform } from "@busbar/waveform/waveform.ts";
import { zipProblem } from "#lib/zip-problem.ts";
import { eventKindOf } from "./event-kind.ts";
import { partnerName } from "./event-name.ts";

export interface EventPart {
  fileName: string;
  bytes: Uint8Array;
}

/** What an event file says. */
export interface EventRecord {
  format: EventFormat;
  kind: EventKind;
  triggeredAt: string | undefined;
  labels: [name: string, value: string][];
  waveform: Waveform | undefined;
  /** Why the file cannot be used. */
  problem: string | undefined;
  warnings: string[];
}

/** What one of the formats gives; `read` throws a WaveformError. */
interface Source {
  format: EventFormat;
  describe: () => RecordHead;
  read: (() => Waveform) | undefined;
  /** Text in which a NUL byte means damage. */
  texts: readonly Uint8Array[];
}

const sniffedLength = 4_096;

/** Reads an event file; the other one of its pair, when it is there. Whatever is wrong with it is a sentence, never an exception. */
export function readEventRecord(file: EventPart, partner: EventPart | undefined): EventRecord {
  if (file.bytes.length === 0) return { ...unread(sourceOf(file, partner).format), problem: "Empty file" };
  const source = sourceOf(file, partner);
  if (source.format === "archive") return { ...unread("archive"), problem: zipProblem(file.bytes) };
  const head = attempt(source.describe) ?? nothingSaid;
  const { waveform, problem } = readWaveform(source, head);
  const cameOn = waveform?.digitals.filter(comesOn).map(({ name }) => name) ?? [];
  return {
    format: source.format,
    kind: eventKindOf(head.event, cameOn),
    triggeredAt: head.triggeredAt,
    labels: head.labels,
    waveform,
    problem,
    warnings: waveform?.warnings ?? [],
  };
}

/** Of a file whose bytes could not be read. */
export function unread(format: EventFormat): EventRecord {
  return { format, kind: "event", triggeredAt: undefined, labels: [], waveform: undefined, problem: undefined, warnings: [] };
}

export function formatOf(fileName: string): EventFormat {
  const extension = fileName.slice(fileName.lastIndexOf(".") + 1);
  if (extension === "cfg" || extension === "dat" || extension === "cff") return "COMTRADE";
  if (extension === "cev") return "CEV";
  if (extension === "eve") return "EVE";
  return extension === "zip" ? "archive" : "text";
}

function readWaveform({ format, read, texts }: Source, head: RecordHead): Pick<EventRecord, "waveform" | "problem"> {
  const nul = texts.map((text) => text.indexOf(0)).find((at) => at >= 0);
  if (nul !== undefined) return { waveform: undefined, problem: `NUL byte at ${nul}` };
  if (format === "EVE" && head.labels.length === 0) return { waveform: undefined, problem: "EVE: neither FID nor type of event" };
  if (!read) return { waveform: undefined, problem: undefined };
  try {
    return { waveform: read(), problem: undefined };
  } catch (error) {
    if (error instanceof WaveformError) return { waveform: undefined, problem: error.message };
    // Lengths that no engine allows, such as a string of a gigabyte.
    if (error instanceof RangeError) return { waveform: undefined, problem: `The record is too large: ${error.message}` };
    throw error;
  }
}

function sourceOf(file: EventPart, partner: EventPart | undefined): Source {
  const { fileName, bytes } = file;
  const format = formatOf(fileName);
  if (format === "archive") return { format, describe: () => nothingSaid, read: undefined, texts: [] };
  if (format === "COMTRADE") return fileName.endsWith(".cff") ? combined(bytes) : pair(file, partner);
  // Relays' software names reports of every kind .txt.
  const start = withoutFrame(decodeText(bytes.subarray(0, sniffedLength)));
  if (format === "CEV" || (format === "text" && /^\s{0,80}"FID"/.test(start))) {
    const text = decodeText(bytes);
    return { format: "CEV", describe: () => describeCev(text), read: () => readCev(text), texts: [bytes] };
  }
  if (format === "EVE" || /^[ \t]{0,40}FID=SEL-/m.test(start)) {
    return { format: "EVE", describe: () => readEve(decodeText(bytes)), read: undefined, texts: [bytes] };
  }
  return { format, describe: () => readEventRecorder(decodeText(bytes)), read: undefined, texts: [bytes] };
}

function pair(file: EventPart, partner: EventPart | undefined): Source {
  const isConfig = file.fileName.endsWith(".cfg");
  const [cfg, dat] = isConfig ? [file, partner] : [partner, file];
  return {
    format: "COMTRADE",
    describe: () => (cfg ? describeComtrade(cfg.bytes) : nothingSaid),
    read: () => {
      if (cfg && dat) return readComtrade(cfg.bytes, dat.bytes);
      throw new WaveformError(`The file ${partnerName(file.fileName)} with the ${isConfig ? "data" : "configuration"} is missing`);
    },
    texts: cfg ? [cfg.bytes] : [],
  };
}

function combined(bytes: Uint8Array): Source {
  return {
    format: "COMTRADE",
    describe: () => describeComtrade(splitCff(bytes).cfg),
    read: () => {
      const { cfg, dat } = splitCff(bytes);
      return readComtrade(cfg, dat);
    },
    texts: [],
  };
}

function comesOn({ values }: DigitalChannel): boolean {
  const off = values.indexOf(0);
  return off >= 0 && values.includes(1, off);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WaveformError) return undefined;
    throw error;
  }
}
