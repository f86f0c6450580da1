import { Batch, batchesPerPage, batchNodeStates, type BatchNode, type BatchNodeState } from "@busbar/contract/telemetry/config-batches.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { prepared, type Db } from "#db/statement.ts";
import type { BatchSeal } from "./batch-seal.ts";

type BatchRow = Omit<Batch, "values"> & { values: string };

/** A node that is being read is not read yet. */
const stateSql = "case n.state when 'reading' then 'unread' else n.state end";
const countSql = batchNodeStates.map((state) => `'${state}', count(*) filter (where ${stateSql} = '${state}')`).join(", ");
const columns = selectList(Batch, "b", {
  values: "b.sealed_values",
  madeTimestamp: epochSeconds("b.made_at"),
  readTimestamp: epochSeconds("b.read_at"),
  startedTimestamp: epochSeconds("b.started_at"),
  endedTimestamp: epochSeconds("b.ended_at"),
  nodeCount: "c.nodes",
  counts: "c.counts",
});
const withCounts = `cross join lateral (
    select count(*)::int4 as nodes, json_build_object(${countSql}) as counts from config_batch_node n where n.batch_id = b.id) c`;

export function createConfigBatchesReadModel(db: Db, seal: () => Promise<BatchSeal>) {
  const shown = async (rows: readonly BatchRow[]): Promise<Batch[]> => {
    const { openValues } = await seal();
    return rows.map((row) => ({ ...row, values: openValues(row.values) }));
  };
  return {
    async list(before: number | undefined): Promise<Batch[]> {
      const rows = await prepared<BatchRow>(db, "list-config-batches", [before ?? null])`
        select ${columns} from (select * from config_batch where ($1::int4 is null or id < $1) order by id desc limit ${batchesPerPage}) b ${withCounts} order by b.id desc`;
      return shown(rows);
    },

    async find(id: number): Promise<Batch | undefined> {
      const rows = await prepared<BatchRow>(db, "find-config-batch", [id])`
        select ${columns} from config_batch b ${withCounts} where b.id = $1`;
      return (await shown(rows))[0];
    },

    async nodes(id: number): Promise<BatchNode[]> {
      const { openPlan } = await seal();
      const rows = await prepared<
        Omit<BatchNode, "reason" | "changes" | "state"> & { serial: number; state: BatchNodeState; sealed: string }
      >(db, "config-batch-nodes", [id])`
        select n.serial_number as serial, n.serial_number::text as "serialNumber", coalesce(l.name, '') as "locationName", l.timezone, ${stateSql} as state, n.sealed,
          n.confirmed_count as "confirmedCount", ${epochSeconds("n.settled_at")} as "settledTimestamp"
        from config_batch_node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
        where n.batch_id = $1 order by n.serial_number`;
      return rows.map(({ serial, sealed, ...node }) => {
        const { changes, reason, place } = openPlan(id, serial, sealed);
        return {
          ...node,
          locationName: place?.locationName ?? node.locationName,
          reason,
          changes: changes.map(({ key, oldValue = null, newValue }) => ({ key, oldValue, newValue })),
        };
      });
    },
  };
}
