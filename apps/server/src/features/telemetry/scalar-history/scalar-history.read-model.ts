import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { nodeExists } from "#db/node-exists.ts";
import { prepared } from "#db/statement.ts";
import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";

export function createScalarHistoryReadModel(pool: Pool) {
  return {
    /** The newest scalars of a node, or the newest before a time, newest first; undefined when there is no such node. */
    async latest(serialNumber: number, limit: number, before?: number): Promise<ScalarHistoryRow[] | undefined> {
      const [name, earlier] = before === undefined ? ["latest", ""] : ["earlier", "and ts < to_timestamp($3)"];
      const values = [serialNumber, limit, ...(before === undefined ? [] : [before])];
      const rows = await prepared<ScalarHistoryRow>(pool, `scalar-history-${name}`, values)`
        select ${epochSeconds("ts")} as timestamp, version, flag, line_frequency as "lineFrequency",
          current1, current2, current3, voltage1, voltage2, voltage3
        from scalar where serial_number = $1 ${earlier} order by ts desc limit $2`;
      if (rows.length > 0) return rows;
      return (await nodeExists(pool, serialNumber)) ? [] : undefined;
    },
  };
}
export type ScalarHistoryReadModel = ReturnType<typeof createScalarHistoryReadModel>;
