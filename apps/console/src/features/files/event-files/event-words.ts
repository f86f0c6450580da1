import type { RecordedEvent } from "@busbar/contract/files/recorded-events.ts";
import { visibleText } from "#lib/visible-text.ts";
import { kindLabels } from "./event-filter.ts";

const digits = 3;

/** Three digits and a prefix, such as `24.1 kA`. */
export function withUnit(value: number, unit: "A" | "V"): string {
  const isLarge = value >= 999.5;
  // 9.996 is 10.0, not 10.00.
  const shown = Number((isLarge ? value / 1000 : value).toPrecision(digits));
  const decimals = Math.min(digits - 1, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.max(shown, 0.01)))));
  return `${shown.toFixed(decimals)} ${isLarge ? "k" : ""}${unit}`;
}

/** `24.1 kA B`, `212 V C-A`, `83.0 V A-N`: a voltage of a phase alone is to neutral, and `V A` would be read as volt-amperes. */
export function figureText(figure: RecordedEvent["largestCurrent"], unit: "A" | "V"): string {
  if (figure === null) return "";
  const isToNeutral = unit === "V" && /^[ABC]$/.test(figure.phase);
  return `${withUnit(figure.value, unit)} ${figure.phase}${isToNeutral ? "-N" : ""}`.trimEnd();
}

/** `250 ms`, `1.4 s` */
export const durationText = (seconds: number | null): string =>
  seconds === null ? "" : seconds < 0.9995 ? `${Math.round(seconds * 1000)} ms` : `${Number(seconds.toFixed(1))} s`;

interface Look {
  /** Says the same as the colour. */
  shape: string;
  word: string;
  className: string;
}

/** What happened, as shape and word; what is not known yet by how far its files are. */
export function lookOf({ eventKind, status }: Pick<RecordedEvent, "eventKind" | "status">): Look {
  if (eventKind === "trip") return { shape: "▲", word: kindLabels.trip, className: "bad" };
  if (eventKind === "alarm") return { shape: "◆", word: kindLabels.alarm, className: "warn" };
  if (eventKind === "event") return { shape: "○", word: kindLabels.event, className: "dim" };
  if (status === "failed") return { shape: "✕", word: "Not readable", className: "warn" };
  return { shape: "…", word: status === "incomplete" ? "A file is missing" : "Waiting to be read", className: "dim" };
}

export const machineOf = ({ locationName, serialNumber }: Pick<RecordedEvent, "locationName" | "serialNumber">): string =>
  locationName === "" ? `Node ${serialNumber}` : visibleText(locationName);

/** What a person reads rather than what only a plot shows. */
const reportOrder = ["eve", "txt", "hdr", "inf", "cev", "cff", "cfg", "csv"];

/** The file of an event that says most to a reader. */
export function reportFileOf(files: readonly { fileName: string }[]): string | undefined {
  const rank = ({ fileName }: { fileName: string }) => reportOrder.indexOf(fileName.slice(fileName.lastIndexOf(".") + 1));
  return files.filter((file) => rank(file) >= 0).toSorted((a, b) => rank(a) - rank(b))[0]?.fileName;
}
