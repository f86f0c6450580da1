import type { EventKind } from "@busbar/contract/files/event-files.ts";
import type { WaveformMeasures } from "@busbar/waveform/measure.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";

/** What names an event: see `parseEventName`. */
export interface EventKey {
  serial: number;
  /** Epoch seconds. */
  timestamp: number;
  number: number;
}

/** What is known of an event by the files that were read. */
export interface EventFindings {
  kind: EventKind | null;
  words: string;
  /** The file that the figures are of. */
  waveformFile: string | null;
}

/** SQL: the name of a row of `recorded_event`. */
export const eventNameSql = (row: string): string =>
  `${row}.serial_number || to_char(${row}.ts at time zone 'UTC', '"_"YYYYMMDD"T"HH24MISS"Z_E"') || to_char(${row}.number, 'FM0000')`;

/** A file of an event, as the reader takes it. */
export interface EventFileRow {
  part: string;
  fileName: string;
  hash: Buffer;
  isGzip: boolean;
}

const isEvent = "serial_number = $1 and ts = to_timestamp($2) and number = $3";
const keyOf = ({ serial, timestamp, number }: EventKey) => [serial, timestamp, number];

export type RecordedEventsStore = ReturnType<typeof createRecordedEventsStore>;

export function createRecordedEventsStore(pool: Pool) {
  return {
    /** Holds the event. Undefined when its files are gone. */
    async hold(client: PoolClient, event: EventKey): Promise<EventFindings | undefined> {
      const rows = await prepared<EventFindings>(client, "hold-recorded-event", keyOf(event))`
        select kind, words, waveform_file as "waveformFile" from recorded_event where ${isEvent} for update`;
      return rows[0];
    },

    /** @param measures undefined leaves the figures as they are, null takes them away */
    async write(
      client: PoolClient,
      event: EventKey,
      { kind, words, waveformFile }: EventFindings,
      measures: WaveformMeasures | null | undefined,
    ): Promise<void> {
      await prepared(client, "write-event-findings", [...keyOf(event), kind, words, waveformFile])`
        update recorded_event set kind = $4, words = $5, waveform_file = $6 where ${isEvent}`;
      if (measures === undefined) return;
      const { durationSeconds, largestCurrent, lowestVoltage, picture } = measures ?? {};
      await prepared(client, "write-event-figures", [
        ...keyOf(event),
        durationSeconds ?? null,
        largestCurrent?.value ?? null,
        largestCurrent?.phase ?? null,
        lowestVoltage?.value ?? null,
        lowestVoltage?.phase ?? null,
        picture ? Buffer.from(picture) : null,
      ])`
        update recorded_event set duration_seconds = $4, largest_current = $5, largest_current_phase = $6, lowest_voltage = $7,
        lowest_voltage_phase = $8, picture = $9 where ${isEvent}`;
    },

    /** Events whose files were read before there was anything to measure them for, the newest first. */
    async findUnmeasured(limit: number, ids: readonly string[] | null): Promise<(EventKey & { eventName: string })[]> {
      return await prepared<EventKey & { eventName: string }>(pool, "find-unmeasured-events", [limit, ids])`
        select serial_number as serial, ${exactEpoch("ts")} as timestamp, number, ${eventNameSql("e")} as "eventName" from recorded_event e
        where is_unmeasured and ${isNext("EventFileParser", "event", eventNameSql("e"), "$2")} order by ts desc limit $1`;
    },

    async markMeasured(client: PoolClient, event: EventKey): Promise<void> {
      await prepared(client, "mark-event-measured", keyOf(event))`update recorded_event set is_unmeasured = false where ${isEvent}`;
    },

    async filesOf({ serial, timestamp, number }: EventKey): Promise<EventFileRow[]> {
      return await prepared<EventFileRow>(pool, "files-of-event", [serial, timestamp, `${String(number).padStart(4, "0")}.`])`
        select part, file_name as "fileName", content_hash as hash, is_gzip as "isGzip" from data_file
        where serial_number = $1 and ts = to_timestamp($2) and kind = 'E' and starts_with(part, $3) and processed is not null order by part`;
    },
  };
}
