import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { anywhere } from "#db/like-sql.ts";
import { prepared } from "#db/statement.ts";
import type { NetworkConfigResult } from "@busbar/contract/telemetry/network-config-log.ts";

export interface AuditRow {
  id: number;
  timestamp: number;
  timezone: string;
  username: string;
  locationName: string;
  serialNumber: string;
  key: string;
  oldValue: string;
  newValue: string;
  result: NetworkConfigResult;
  detail: string;
  batchId: number | null;
}

export interface AuditSearch {
  before: number | undefined;
  words: readonly string[];
  limit: number;
}

const searched = "concat_ws(' ', username, location_name, serial_number, key, old_value, new_value)";

export function createNetworkConfigLogReadModel(pool: Pool) {
  return {
    /** Newest first; each word must occur somewhere in a row. */
    async list({ before, words, limit }: AuditSearch): Promise<AuditRow[]> {
      return await prepared<AuditRow>(pool, "list-network-config-log", [before ?? null, anywhere(words), limit])`
        select id::float8 as id, ${epochSeconds("ts")} as timestamp, timezone, username,
          location_name as "locationName", serial_number::text as "serialNumber", key, old_value as "oldValue", new_value as "newValue", result, detail, batch_id as "batchId"
        from audit_log where ($1::float8 is null or id < $1::float8) and ${searched} ilike all ($2::text[]) order by id desc limit $3`;
    },
  };
}
export type NetworkConfigLogReadModel = ReturnType<typeof createNetworkConfigLogReadModel>;
