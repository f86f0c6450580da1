import type { Found } from "@busbar/contract/system/find.ts";
import type { Pool } from "pg";
import { anywhere, escapedLike } from "#db/like-sql.ts";
import { prepared } from "#db/statement.ts";

const place = `coalesce(l.name, '') as "locationName", coalesce(f.name, '') as "facilityName", coalesce(c.name, '') as "customerName", coalesce(c.code, '') as "customerCode"`;
const noPerson = `'' as "formerSerialNumber", '' as username, '' as "firstName", '' as "lastName"`;

/** Of each kind what is selected, with its name and all that is searched. */
const sources = [
  `select 'node' as kind, n.serial_number::text as id, n.serial_number::text as "serialNumber", ${place}, ${noPerson},
    n.serial_number::text as name, concat_ws(' ', n.serial_number, l.name, f.name, c.name) as words
  from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id`,
  `select 'location' as kind, l.id::text as id, '' as "serialNumber", ${place}, ${noPerson}, l.name, concat_ws(' ', l.name, f.name, c.name) as words
  from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id`,
  `select 'facility' as kind, f.id::text as id, '' as "serialNumber", '' as "locationName", f.name as "facilityName", c.name as "customerName",
    c.code as "customerCode", ${noPerson}, f.name, concat_ws(' ', f.name, c.name) as words
  from facility f join customer c on c.id = f.customer_id`,
  `select 'customer' as kind, c.id::text as id, '' as "serialNumber", '' as "locationName", '' as "facilityName", c.name as "customerName",
    c.code as "customerCode", ${noPerson}, c.name, concat_ws(' ', c.name, c.code) as words
  from customer c`,
  `select 'user' as kind, u.id::text as id, '' as "serialNumber", '' as "locationName", '' as "facilityName", coalesce(c.name, '') as "customerName",
    coalesce(c.code, '') as "customerCode", '' as "formerSerialNumber", u.username, u.first_name as "firstName", u.last_name as "lastName", u.username as name,
    concat_ws(' ', u.username, u.first_name, u.last_name, c.name) as words
  from app_user u left join customer c on c.id = u.customer_id`,
];

const columns = `kind, id, "serialNumber", "formerSerialNumber", "locationName", "facilityName", "customerName", "customerCode", username, "firstName", "lastName"`;

/** Of a kind so many are ranked; the rest is found by another word. */
const mostRanked = 50;

/** The beginning of a file's name. */
export interface FileStart {
  start: string;
  serialNumber: number;
  /** Its first moment. */
  month: string;
}

export type FindReadModel = ReturnType<typeof createFindReadModel>;

export function createFindReadModel(pool: Pool) {
  return {
    /** What holds all of these words, in small letters; of each kind those first whose name begins with the first word. */
    async withWords(words: readonly string[]): Promise<Found[]> {
      const within = anywhere(words);
      // Each kind is ranked alone: the first few of thousands are kept without sorting all of them.
      return await prepared<Found>(pool, "find-words", [within, `${escapedLike(words[0] ?? "")}%`, within[0]])`
        ${sources
          .map(
            (source) => `(select ${columns} from (${source}) every where lower(words) like all($1::text[])
            order by lower(name) like $2 desc, lower(name) like $3 desc, length(name), name, id limit ${mostRanked})`,
          )
          .join(" union all ")}`;
    },

    /** Everything, for readers who know it by other names. */
    async all(): Promise<Found[]> {
      return await prepared<Found>(
        pool,
        "find-all",
      )`${sources.map((source) => `select ${columns} from (${source}) every`).join(" union all ")}`;
    },

    /** Locations at which these nodes were once, with the node that is there now. */
    async earlierPlaces(serials: readonly number[]): Promise<Found[]> {
      return await prepared<Found>(pool, "find-earlier-places", [serials])`
        select distinct on (l.id, p.serial_number) 'location' as kind, l.id::text as id, coalesce(a.serial_number::text, '') as "serialNumber",
          p.serial_number::text as "formerSerialNumber", ${place}, '' as username, '' as "firstName", '' as "lastName"
        from node_placement p join location l on l.id = p.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
          left join node_assignment a on a.location_id = l.id and a.slot = p.slot
        where p.serial_number = any ($1::int4[]) and not exists (
          select from node_assignment h where h.location_id = l.id and h.serial_number = p.serial_number)
        order by l.id, p.serial_number, p.id desc limit ${mostRanked}`;
    },

    /** Files of a node and a month whose names begin so, the newest first. */
    async files({ start, serialNumber, month }: FileStart, limit: number): Promise<string[]> {
      const rows = await prepared<{ name: string }>(pool, "find-files", [serialNumber, month, start, limit])`
        select file_name as name from data_file where serial_number = $1
        and ts >= $2::timestamptz and ts < $2::timestamptz + interval '1 month' and starts_with(file_name, $3) order by ts desc, file_name limit $4`;
      return rows.map(({ name }) => name);
    },

    async services(): Promise<string[]> {
      const rows = await prepared<{ name: string }>(pool, "find-services")`select name from service order by name`;
      return rows.map(({ name }) => name);
    },
  };
}
