import type { PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";

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

/** Those of the nodes with more than so many files that failed in their local day. */
export async function findFailedFiles(
  client: PoolClient,
  serials: readonly number[],
  now: number,
  moreThan: number,
): Promise<FailedFilesRow[]> {
  const { rows } = await client.query<FailedFilesRow>({
    name: "failed-files",
    text: `select u.serial as "serialNumber", l.name as "locationName", f.name as "facilityName",
        ${exactEpoch("d.start")} as "dayStart", failed.count, failed.examples
      from unnest($1::int4[]) as u (serial) left join node_assignment a on a.serial_number = u.serial
      left join location l on l.id = a.location_id left join facility f on f.id = l.facility_id
      cross join lateral (select date_trunc('day', to_timestamp($2), coalesce(l.timezone, 'UTC')) as start) d
      cross join lateral (
        select count(*)::int4, (array_agg(jsonb_build_object('fileName', file_name, 'reason', failed_reason) order by extracted_at desc, file_name desc))[1:10] as examples
        from data_file where serial_number = u.serial and processed = false and extracted_at >= d.start) failed
      where failed.count > $3 order by u.serial`,
    values: [serials, now, moreThan],
  });
  return rows;
}
