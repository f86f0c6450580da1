import type { Pool } from "@busbar/server/db/pool.ts";

/** Nodes with values that a running fleet shows only now and then, so that each display can be tested. No simulator moves them. */
export const oddNodes = {
  /** Everything set: watch icon, files, events, gaps, meter not connected, a next status. */
  everything: "90001",
  /** Of a type that is none of ours. */
  external: "90002",
  /** Of each status that is hidden at first. */
  unassigned: "90003",
  decommissioned: "90004",
  neverConnected: "90005",
} as const;

export const oddPlace = { code: "oddco", customer: "Odd Cases Testing", facility: "Corner Works", location: "Edge Press 7" };

export async function addOddNodes(database: Pool): Promise<void> {
  const id = async (text: string, values: unknown[]) => (await database.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id;
  const customer = await id("insert into customer (code, name) values ($1, $2)", [oddPlace.code, oddPlace.customer]);
  const facility = await id("insert into facility (customer_id, name, site_name) values ($1, $2, $2)", [customer, oddPlace.facility]);
  const addNode = async (serial: string, type: string, status: string, next: string, isPlaced: boolean) => {
    await database.query(
      "insert into node (serial_number, type, container, current_deployment_status, new_deployment_status, new_deployment_status_updated_at, notify_on_connect, unassigned_location) values ($1, $2, 'Odd crate', $3, $4, now() + interval '1 day', true, 'Shelf')",
      [serial, type, status, next],
    );
    if (!isPlaced) return;
    const location = await id("insert into location (facility_id, name, timezone) values ($1, $2, 'Asia/Kolkata')", [
      facility,
      oddPlace.location,
    ]);
    await database.query("insert into node_assignment values ($1, $2, 1)", [serial, location]);
  };
  await addNode(oddNodes.everything, "Node", "Deployed", "Pre-Deployment", true);
  await addNode(oddNodes.external, "ThirdPartyLogger", "Deployed", "Deployed", true);
  await addNode(oddNodes.unassigned, "Node", "Unassigned", "Unassigned", false);
  await addNode(oddNodes.decommissioned, "Node", "Decommissioned", "Decommissioned", false);
  await addNode(oddNodes.neverConnected, "Node", "Pre-Deployment", "Pre-Deployment", true);
  await database.query(
    `update node_live set last_scalar_at = now(), last_scalar_data = $2, missing_scalar_day = (now() at time zone 'Asia/Kolkata')::date,
       missing_scalar_count = 3, is_sensor_ok = false, last_datafile_at = now() - interval '12 minutes', last_one_second_file_at = now() - interval '2 hours',
       event_count = 41, changed_xid = pg_current_xact_id() where serial_number = $1`,
    [oddNodes.everything, "first-thirty-characters-of-it-middle-and-the-last-thirty-character"],
  );
  await database.query(
    "update node_live set last_external_file_at = now() - interval '3 days', changed_xid = pg_current_xact_id() where serial_number = $1",
    [oddNodes.external],
  );
}
