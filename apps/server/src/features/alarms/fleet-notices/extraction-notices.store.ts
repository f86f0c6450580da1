import type { PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { muteReasonSql } from "#shared/mutes-sql.ts";

/** A node with failed files. */
export interface FailedFilesRow {
  serialNumber: number;
  locationName: string | null;
  facilityName: string | null;
  /** Epoch seconds of the local day's start, UTC's for a node at no location. */
  dayStart: number;
  count: number;
  /** Newest first. */
  examples: { fileName: string; reason: string }[];
}

/** Those of the nodes that are not muted, with more than so many files that failed in their local day. */
export async function findFailedFiles(
  client: PoolClient,
  serials: readonly number[],
  now: number,
  moreThan: number,
): Promise<FailedFilesRow[]> {
  return await prepared<FailedFilesRow>(client, "failed-files", [serials, now, moreThan])`
    select n.serial_number as "serialNumber", l.name as "locationName", f.name as "facilityName",
      ${exactEpoch("d.start")} as "dayStart", failed.count, failed.examples
    from unnest($1::int4[]) as n (serial_number) left join node_assignment a on a.serial_number = n.serial_number
    left join location l on l.id = a.location_id left join facility f on f.id = l.facility_id
    cross join lateral (select date_trunc('day', to_timestamp($2), coalesce(l.timezone, 'UTC')) as start) d
    cross join lateral (
      select count(*)::int4, (array_agg(jsonb_build_object('fileName', file_name, 'reason', failed_reason) order by extracted_at desc, file_name desc))[1:10] as examples
      from data_file where serial_number = n.serial_number and processed = false and extracted_at >= d.start) failed
    where failed.count > $3 and ${muteReasonSql("to_timestamp($2)")} is null order by n.serial_number`;
}
