import { parseEventName, RecordedEvent, type EventStatus, type EventWithFiles } from "@busbar/contract/files/recorded-events.ts";
import type { EventKind } from "@busbar/contract/files/event-files.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { anywhere } from "#db/like-sql.ts";
import { planned, prepared } from "#db/statement.ts";
import type { ZoneTimes } from "./event-times.ts";
import { eventNameSql, type EventKey } from "./recorded-events.store.ts";

export interface EventFilter {
  serial: number | undefined;
  location: number | undefined;
  facility: number | undefined;
  customer: number | undefined;
  /** Any of these; in place of `location`. */
  locations: readonly number[] | undefined;
  kind: EventKind | undefined;
  status: EventStatus | undefined;
  amperes: number | undefined;
  /** For each zone of the directory and for UTC. */
  times: readonly ZoneTimes[] | undefined;
}

export interface PlaceWords {
  locationId: number;
  locationName: string;
  facilityName: string;
  customerName: string;
}

/** Each of so few places is looked up by itself; of more, the newest events are looked through. */
const mostPlacesEach = 200;

const figure = (name: string) =>
  `case when e.${name} is not null then json_build_object('value', e.${name}, 'phase', coalesce(e.${name}_phase, '')) end`;
const columns = selectList(RecordedEvent, "e", {
  eventName: eventNameSql("e"),
  serialNumber: "e.serial_number::text",
  timestamp: epochSeconds("e.ts"),
  timezone: "l.timezone",
  customerId: "c.id",
  customerName: "coalesce(c.name, p.customer_name, '')",
  facilityId: "f.id",
  facilityName: "coalesce(f.name, p.facility_name, '')",
  locationId: "l.id",
  locationName: "coalesce(l.name, p.location_name, '')",
  eventKind: "e.kind",
  largestCurrent: figure("largest_current"),
  lowestVoltage: figure("lowest_voltage"),
  picture: "translate(encode(e.picture, 'base64'), E'\\n', '')",
});
const places = `left join node_placement p on p.id = e.placement_id left join location l on l.id = e.location_id
  left join facility f on f.id = e.facility_id left join customer c on c.id = e.customer_id`;
const key = "e.ts, e.serial_number, e.number";
const newestFirst = "e.ts desc, e.serial_number desc, e.number desc";
const earliestFirst = "e.ts, e.serial_number, e.number";

type Side = "earlier" | "later";

export type RecordedEventsReadModel = ReturnType<typeof createRecordedEventsReadModel>;

export function createRecordedEventsReadModel(pool: Pool) {
  /** The rows of a filter, from the newest on or on one side of an event, the nearest first. */
  function select(what: string, filter: EventFilter, beside: EventKey | undefined, side: Side, limit: number) {
    const values: unknown[] = [limit];
    const value = (each: unknown) => `$${values.push(each)}`;
    const conditions = [
      ...conditionsOf(filter, value),
      ...(beside
        ? [
            `(${key}) ${side === "earlier" ? "<" : ">"} (to_timestamp(${value(beside.timestamp)}), ${value(beside.serial)}::int4, ${value(beside.number)}::int2)`,
          ]
        : []),
    ];
    const order = side === "earlier" ? newestFirst : earliestFirst;
    const zone = filter.times ? "left join location z on z.id = e.location_id" : "";
    const rowsOf = (also: readonly string[]) =>
      `select e.* from recorded_event e ${zone} where ${["true", ...conditions, ...also].join(" and ")} order by ${order} limit $1`;
    const { locations } = filter;
    const found =
      locations === undefined
        ? rowsOf([])
        : locations.length <= mostPlacesEach
          ? `select e.* from unnest(${value(locations)}::int4[]) o (id) cross join lateral (${rowsOf(["e.location_id = o.id"])}) e order by ${order} limit $1`
          : rowsOf([`e.location_id = any (${value(locations)}::int4[])`]);
    return planned<RecordedEvent>(pool, what, values)`select ${columns} from (${found}) e ${places} order by ${order}`;
  }

  return {
    async list(filter: EventFilter, before: string | undefined, limit: number): Promise<RecordedEvent[]> {
      const beside = before === undefined ? undefined : parseEventName(before);
      return await select("list-events", filter, beside, "earlier", limit);
    },

    async neighbour(filter: EventFilter, event: EventKey, side: Side): Promise<string | null> {
      const [next] = await select(`${side}-event`, filter, event, side, 1);
      return next?.eventName ?? null;
    },

    async find({ serial, timestamp, number }: EventKey): Promise<Omit<EventWithFiles, "earlierEventName" | "laterEventName"> | undefined> {
      const rows = await prepared<Omit<EventWithFiles, "earlierEventName" | "laterEventName">>(pool, "find-event", [
        serial,
        timestamp,
        number,
      ])`
        select ${columns}, e.waveform_file as "waveformFileName", (
          select coalesce(json_agg(json_build_object('fileName', d.file_name, 'processed', d.processed, 'failedReason', d.failed_reason,
            'size', d.stored_bytes, 'receivedTimestamp', ${epochSeconds("d.received_at")}) order by d.part), '[]')
          from data_file d where d.serial_number = e.serial_number and d.ts = e.ts and d.kind = 'E' and starts_with(d.part, to_char(e.number, 'FM0000.'))) as files
        from recorded_event e ${places} where e.serial_number = $1 and e.ts = to_timestamp($2) and e.number = $3`;
      return rows[0];
    },

    async zones(): Promise<string[]> {
      const rows = await prepared<{ timezone: string }>(pool, "zones-of-places")`select distinct timezone from location`;
      return [...new Set([...rows.map(({ timezone }) => timezone), "UTC"])];
    },

    /** Locations whose words, with those of their facility and customer, hold all of these, in small letters. */
    async placesWith(words: readonly string[]): Promise<PlaceWords[]> {
      return await prepared<PlaceWords>(pool, "places-with-words", [anywhere(words)])`
        select l.id as "locationId", l.name as "locationName", f.name as "facilityName", c.name as "customerName"
        from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
        where lower(concat_ws(' ', l.name, f.name, c.name)) like all ($1::text[])`;
    },
  };
}

function conditionsOf(filter: EventFilter, value: (each: unknown) => string): string[] {
  const { serial, location, facility, customer, kind, status, amperes, times } = filter;
  const equal = (column: string, wanted: unknown) => (wanted === undefined ? [] : [`e.${column} = ${value(wanted)}`]);
  return [
    ...equal("serial_number", serial),
    ...equal("location_id", location),
    ...equal("facility_id", facility),
    ...equal("customer_id", customer),
    ...equal("kind", kind),
    // Written out, so that its own index serves those that are rare.
    ...(status === undefined ? [] : [status === "read" ? "e.status = 'read'" : `e.status = '${status}' and e.status <> 'read'`]),
    ...(amperes === undefined ? [] : [`e.largest_current >= ${value(amperes)}::real`]),
    ...(times === undefined
      ? []
      : [
          `e.ts >= to_timestamp(${value(Math.min(...times.map(({ start }) => start)))}) and e.ts < to_timestamp(${value(Math.max(...times.map(({ end }) => end)))})`,
          `exists (select from unnest(${value(times.map(({ zone }) => zone))}::text[], ${value(times.map(({ start }) => start))}::float8[], ${value(times.map(({ end }) => end))}::float8[]) t (zone, start, until)
            where t.zone = coalesce(z.timezone, 'UTC') and e.ts >= to_timestamp(t.start) and e.ts < to_timestamp(t.until))`,
        ]),
  ];
}
