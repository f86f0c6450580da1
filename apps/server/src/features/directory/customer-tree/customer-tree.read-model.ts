import { SavedCustomer } from "@busbar/contract/directory/customers.ts";
import { DecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { SavedFacility } from "@busbar/contract/directory/facilities.ts";
import { Location, LocationNode } from "@busbar/contract/directory/locations.ts";
import type { Pool, PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { planned, prepared, type Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";

/** The tree at one moment, as JSON texts that only need to be joined: the database writes them, off this program's one thread. */
export interface TreeRows {
  /** Open to the end: `{"id":1,…`. */
  customers: { id: number; json: string }[];
  facilities: { id: number; customerId: number; json: string }[];
  /** All locations of a facility, comma between them. */
  locations: { facilityId: number; json: string }[];
  decommissionedNodes: { customerId: number; json: string }[];
  position: TreePosition;
}

/** How far a reading of the directory is. */
export interface TreePosition {
  /** Every transaction below had ended. */
  xid: string;
  /** The changes at or above it that were visible: another list means that something is new. */
  changes: string;
}

export function createCustomerTreeReadModel(pool: Pool) {
  return {
    /** The changes that are visible now at or above the transaction. */
    async changesSince(xid: string): Promise<string> {
      return await changesSince(pool, xid);
    },

    async read(): Promise<TreeRows> {
      return await inTransaction(pool, async (client) => {
        await planned(client, "read-one-moment")`set transaction isolation level repeatable read, read only`;
        const xid = await snapshotXid(client);
        return {
          position: { xid, changes: await changesSince(client, xid) },
          customers: await rowsOf(client, "tree-customers", customersText),
          facilities: await rowsOf(client, "tree-facilities", facilitiesText),
          locations: await rowsOf(client, "tree-locations", locationsText),
          decommissionedNodes: await rowsOf(client, "tree-decommissioned-nodes", decommissionedText),
        };
      });
    },
  };
}
export type CustomerTreeReadModel = ReturnType<typeof createCustomerTreeReadModel>;

async function snapshotXid(client: PoolClient): Promise<string> {
  const rows = await prepared<{ xid: string }>(client, "tree-snapshot")`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`;
  return rows[0]!.xid;
}

async function changesSince(db: Db, xid: string): Promise<string> {
  const rows = await prepared<{ changes: string }>(db, "tree-changes", [xid])`
    select coalesce(string_agg(xid::text, ',' order by xid), '') as changes from directory_change where xid >= $1::text::xid8`;
  return rows[0]!.changes;
}

async function rowsOf<Row extends object>(client: PoolClient, name: string, text: string): Promise<Row[]> {
  return await prepared<Row>(client, name)`${text}`;
}

const customersText = `
  select c.id, row_to_json(r)::text as json from customer c cross join lateral (select ${selectList(SavedCustomer, "c")}) r
  order by c.name, c.id`;

const facilityColumns = selectList(SavedFacility, "f", {
  managers: "array(select m.user_id from facility_manager m where m.facility_id = f.id order by m.user_id)",
});
const facilitiesText = `
  select f.id, f.customer_id as "customerId", row_to_json(r)::text as json from facility f cross join lateral (select ${facilityColumns}) r
  order by f.name, f.id`;

// Stored as [["Bearing", [29.5, 59]]], sent as [["Bearing", "29.5;59"]]; what is of no such shape must not take the tree away.
const signaturePairs = `case when l.harmonic_signatures = '[]' or jsonb_typeof(l.harmonic_signatures) <> 'array' then '[]'::json else (
    select coalesce(json_agg(json_build_array(s.pair->>0, case jsonb_typeof(s.pair->1) when 'string' then s.pair->>1
      else (select string_agg(f.hertz, ';' order by f.place) from jsonb_array_elements_text(s.pair->1) with ordinality f(hertz, place)) end) order by s.place), '[]')
    from jsonb_array_elements(l.harmonic_signatures) with ordinality s(pair, place)
    where jsonb_typeof(s.pair->0) = 'string' and jsonb_typeof(s.pair->1) in ('array', 'string')) end`;

const locationColumns = selectList(Location, "l", {
  nodeSerialNumber: "p.primary_serial::text",
  secondaryNodeSerialNumber: "p.secondary_serial::text",
  nodes: "coalesce(p.nodes, '[]')",
  equipmentStartTimestamp: `floor(${epochSeconds("l.equipment_start_at")})::bigint`,
  harmonicSignatures: signaturePairs,
});
const locationsText = `
  with placed as (
    select a.location_id, json_agg(row_to_json(r) order by a.slot) as nodes,
      min(a.serial_number) filter (where a.slot = 1) as primary_serial, min(a.serial_number) filter (where a.slot = 2) as secondary_serial
    from node_assignment a join node n on n.serial_number = a.serial_number
    cross join lateral (select ${selectList(LocationNode, "n", { serialNumber: "n.serial_number::text" })}) r
    group by a.location_id
  )
  select l.facility_id as "facilityId", string_agg(row_to_json(r)::text, ',' order by l.name, l.id) as json
  from location l left join placed p on p.location_id = l.id cross join lateral (select ${locationColumns}) r
  group by l.facility_id`;

const decommissionedColumns = selectList(DecommissionedNode, "d", {
  serialNumber: "d.serial_number::text",
  decommissionedTimestamp: epochSeconds("d.decommissioned_at"),
});
const decommissionedText = `
  select d.customer_id as "customerId", string_agg(row_to_json(r)::text, ',' order by d.serial_number) as json from decommissioned_node d
  cross join lateral (select ${decommissionedColumns}) r
  group by d.customer_id`;
