import type { RecordAlarmKind } from "./alarm-kinds.ts";
import { hysteresis, roundingPercent } from "./alarm-life.ts";
import type { AlarmSettings } from "./alarm-settings.ts";
import { signaturePercent, type HarmonicSignature } from "./harmonic-signature.ts";
import { isLoaded } from "./measures.ts";
import type { AlarmChange } from "./node-alarms.ts";

/** What is judged of a 15-minute record; undefined where the record has none. */
export interface DataRecord {
  /** End of the interval, epoch seconds. */
  at: number;
  /** Percent, by line and by phase. */
  voltageThd: readonly (number | undefined)[];
  currentThd: readonly (number | undefined)[];
  /** A, mean of the active phases over the interval. */
  meanCurrent: number | undefined;
  /** Starts within the hour that ends with the interval, of an interval longer than that within the interval by the hour. */
  startsPerHour: number;
  /** Hz. */
  lineFrequency: number | undefined;
  /** A, of each phase by order from 1. */
  currentHarmonics: readonly (readonly (number | undefined)[])[];
}

/**
 * Judges one record. It stands for a quarter of an hour, so that it raises by itself, and one record below 95 % of the limit clears;
 * what cannot be judged counts as quiet.
 *
 * - voltageThd, currentThd: percent of the fundamental (IEC 61000-4-7), the worst active channel; current only above 25 % of full load
 * - frequentStarts: starts in an hour; motors bear few (NEMA MG 1, 12.54 and 20.12; MG 10, table 7)
 * - harmonicSignature: percent of the fundamental current, the strongest of the location's signatures; above 25 % of full load
 * @param open kinds that are raised
 */
export function judgeRecord(
  record: DataRecord,
  settings: AlarmSettings,
  signatures: readonly HarmonicSignature[],
  open: ReadonlySet<string>,
): AlarmChange[] {
  const changes: AlarmChange[] = [];
  const take = (kind: RecordAlarmKind, value: number | undefined, limit: number, name?: string): void => {
    const isAbove = value !== undefined && value > limit + roundingPercent;
    const isQuiet = value === undefined || value <= limit * (1 - hysteresis);
    const change = open.has(kind) ? isQuiet && "cleared" : isAbove && "raised";
    if (change) changes.push({ kind, change, at: record.at, value, limit, ...(name === undefined ? {} : { name }) });
  };
  const hasLoad = isLoaded(record.meanCurrent, settings);
  take("voltageThd", worst(record.voltageThd, settings.activeVoltages), settings.voltageThdThreshold);
  take("currentThd", hasLoad ? worst(record.currentThd, settings.activeCurrents) : undefined, settings.currentThdThreshold);
  take("frequentStarts", record.startsPerHour, settings.startsPerHour);
  const strongest = hasLoad ? strongestSignature(record, settings, signatures) : undefined;
  take("harmonicSignature", strongest?.percent, settings.signaturePercent, strongest?.name);
  return changes;
}

function worst(values: readonly (number | undefined)[], isActive: readonly boolean[]): number | undefined {
  const known = values.filter((value, index): value is number => value !== undefined && isActive[index] === true);
  return known.length === 0 ? undefined : Math.max(...known);
}

function strongestSignature(
  { lineFrequency, currentHarmonics }: DataRecord,
  { activeCurrents }: AlarmSettings,
  signatures: readonly HarmonicSignature[],
): { name: string; percent: number } | undefined {
  if (lineFrequency === undefined) return undefined;
  const active = currentHarmonics.filter((_, phase) => activeCurrents[phase]);
  return signatures
    .flatMap((signature) => {
      const percent = signaturePercent(signature, lineFrequency, active);
      return percent === undefined ? [] : [{ name: signature.name, percent }];
    })
    .toSorted((a, b) => b.percent - a.percent)[0];
}
