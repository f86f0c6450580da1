import type { Pool } from "pg";
import { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { selectList, without } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";
import { nodeExpressions, placeJoins } from "./nodes.store.ts";

export interface ListPosition {
  /** Another text means that something other than connections may be new. */
  version: string;
  /** Serial numbers of connected nodes, commas between. */
  connected: string;
}

/** One row as JSON, open to the end: `connected` is still to come. */
export interface ListRow {
  serial: string;
  json: string;
}

/** `connected` changes by itself and is added to the finished row. */
const columns = selectList(without(NodeListRow, "connected"), "n", nodeExpressions);

export function createNodeListReadModel(pool: Pool) {
  return {
    async position(): Promise<ListPosition> {
      const rows = await prepared<ListPosition>(pool, "node-list-position")`select
        (select count(*) || ' ' || coalesce(sum(revision::bigint * serial_number), 0) from node) || ' ' ||
        (select count(*) || ' ' || coalesce(sum(xid::text::numeric), 0) from directory_change) as version,
        (select coalesce(string_agg(serial_number::text, ',' order by serial_number), '') from node_live where is_connected) as connected`;
      const row = rows[0];
      if (!row) throw new Error("The database gave no position of the node list");
      return row;
    },

    /** Every node in the order of serial numbers; the database writes the JSON, off this program's one thread. */
    async rows(): Promise<ListRow[]> {
      return await prepared<ListRow>(pool, "node-list-rows")`
        select "serialNumber" as serial, rtrim(to_json(r)::text, '}') as json from (
        select ${columns} from node n ${placeJoins} order by n.serial_number) r`;
    },
  };
}
export type NodeListReadModel = ReturnType<typeof createNodeListReadModel>;
