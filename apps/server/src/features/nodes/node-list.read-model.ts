import type { Pool } from "pg";
import type { NodeListRow } from "@busbar/contract/nodes.ts";
import { columnOf } from "./node-columns.ts";
import type { WrittenField } from "./node-columns.ts";
import { placeColumns, placeJoins, statusColumns } from "./nodes.store.ts";

export interface ListPosition {
  /** Another text means that something besides connections may be new. */
  version: string;
  /** Serial numbers of connected nodes, commas between. */
  connected: string;
}

/** One row as JSON, open to the end: `connected` is still to come. */
export interface ListRow {
  serial: string;
  json: string;
}

const written = [
  "type",
  "container",
  "deploymentTaskType",
  "dataPointInterval",
  "nameplateValid",
  "notifyOnConnect",
  "notifyOnCurrentAboveNoise",
  "showRawPower",
  "deploymentIssue",
  "activeVa",
  "activeVb",
  "activeVc",
  "activeIa",
  "activeIb",
  "activeIc",
  "voltageImbalanceThreshold",
  "voltageThdThreshold",
  "overVoltageThreshold",
  "currentImbalanceThreshold",
  "currentThdThreshold",
  "shortTermOverCurrentThreshold",
] as const satisfies readonly (WrittenField & keyof NodeListRow)[];

export function createNodeListReadModel(pool: Pool) {
  return {
    async position(): Promise<ListPosition> {
      const { rows } = await pool.query<ListPosition>({
        name: "node-list-position",
        text: `/* node-list-position */ select
                 (select count(*) || ' ' || coalesce(sum(revision::bigint * serial_number), 0) from node) || ' ' ||
                 (select count(*) || ' ' || coalesce(sum(xid::text::numeric), 0) from directory_change) as version,
                 (select coalesce(string_agg(serial_number::text, ',' order by serial_number), '') from node_live where is_connected) as connected`,
      });
      const row = rows[0];
      if (!row) throw new Error("The database gave no position of the node list");
      return row;
    },

    /** Every node in the order of serial numbers; the database writes the JSON, off this program's one thread. */
    async rows(): Promise<ListRow[]> {
      const { rows } = await pool.query<ListRow>({
        name: "node-list-rows",
        text: `/* node-list-rows */ select "serialNumber" as serial, rtrim(to_json(r)::text, '}') as json from (
                 select n.id, n.serial_number::text as "serialNumber", ${written.map((field) => `n.${columnOf[field]} as "${field}"`).join(", ")},
                   ${statusColumns}, ${placeColumns}, n.revision
                 from node n ${placeJoins} order by n.serial_number) r`,
      });
      return rows;
    },
  };
}
export type NodeListReadModel = ReturnType<typeof createNodeListReadModel>;
