import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned, plannedCount } from "@busbar/server/db/statement.ts";
import type { DemoFacility, DemoCustomer } from "./places.ts";
import type { DemoNode } from "./demo-world.ts";

// Rows travel as one JSON array per table; places are found by their names.
export async function isSeeded(client: PoolClient): Promise<boolean> {
  return ((await plannedCount(client, "is-seeded")`select 1 from customer limit 1`) ?? 0) > 0;
}

export async function insertCustomers(client: PoolClient, customers: readonly DemoCustomer[]): Promise<void> {
  await planned(client, "demo-customers", [JSON.stringify(customers)])`insert into customer (code, name, type, email_domains)
    select code, name, type, array(select jsonb_array_elements_text("emailDomains"))
    from jsonb_to_recordset($1) as r(code text, name text, type text, "emailDomains" jsonb)`;
}

export async function insertFacilities(client: PoolClient, facilities: readonly DemoFacility[]): Promise<void> {
  await planned(client, "demo-facilities", [JSON.stringify(facilities)])`
    insert into facility (customer_id, name, site_name, grounding_type, facility_location)
    select c.id, r.name, r."siteName", r."groundingType", r.position
    from jsonb_to_recordset($1) as r("customerCode" text, name text, "siteName" text, "groundingType" text, position text) join customer c on c.code = r."customerCode"`;
}

export async function findNodeSerials(client: PoolClient): Promise<Set<number>> {
  const rows = await planned<{ serial: number }>(client, "demo-node-serials")`select serial_number as serial from node`;
  return new Set(rows.map((row) => row.serial));
}

/** Nodes with their locations, assignments and retirements. */
export async function insertNodes(client: PoolClient, nodes: readonly DemoNode[]): Promise<void> {
  const rows = JSON.stringify(nodes.map(toRow));
  const columns = `r(serial integer, type text, "parentSerial" integer, "customerCode" text, facility text, location text, slot smallint, timezone text,
    "equipmentType" text, starter text, "loadApplication" text, hp float8, volts float8, amps float8, rpm float8, poles float8,
    "unassignedCustomer" text, "unassignedFacility" text, "unassignedLocation" text, "isDecommissioned" boolean,
    "currentStatus" text, "newStatus" text, "notifyOnConnect" boolean, "scalarInterval" integer)`;
  const facilityOf = `join customer c on c.code = r."customerCode" join facility f on f.customer_id = c.id and f.name = r.facility`;
  await planned(client, "demo-locations", [rows])`
    insert into location (facility_id, name, equipment_type, timezone, starter, load_application, np_hp, np_voltage, np_current, np_rpm, np_poles,
      np_rotor_bars, np_service_factor)
    select f.id, r.location, r."equipmentType", r.timezone, r.starter, r."loadApplication", r.hp, r.volts, r.amps, r.rpm, r.poles, 0, 1.15
    from jsonb_to_recordset($1) as ${columns} ${facilityOf} where r.slot = 1`;
  await planned(client, "demo-nodes", [rows])`
    insert into node (serial_number, type, parent_serial_number, unassigned_customer, unassigned_facility, unassigned_location,
      current_deployment_status, new_deployment_status, new_deployment_status_updated_at, current_deployment_status_updated_at, notify_on_connect,
      scalar_interval_seconds, container, nameplate_valid, notify_on_current_above_noise, show_raw_power, deployment_issue, deployment_issue_details)
    select serial, type, "parentSerial", coalesce("unassignedCustomer", ''), coalesce("unassignedFacility", ''), coalesce("unassignedLocation", ''),
      "currentStatus", "newStatus",
      case when "newStatus" = "currentStatus" then now() - interval '40 days'
        else (date_trunc('day', now() at time zone coalesce(timezone, 'UTC')) + interval '1 day') at time zone coalesce(timezone, 'UTC') end,
      now() - interval '40 days', "notifyOnConnect", "scalarInterval", 'Crate ' || chr(65 + serial % 6) || '-' || serial / 1000,
      "currentStatus" = 'Deployed', serial % 11 = 0, serial % 7 = 0, serial % 23 = 0,
      case when serial % 23 = 0 then 'Current transformer of phase B points the wrong way' else '' end
    from jsonb_to_recordset($1) as ${columns}`;
  await planned(client, "demo-assignments", [rows])`insert into node_assignment (serial_number, location_id, slot)
    select r.serial, l.id, r.slot from jsonb_to_recordset($1) as ${columns} ${facilityOf} join location l on l.facility_id = f.id and l.name = r.location
    where r.slot is not null`;
  await planned(client, "demo-decommissioned-nodes", [rows])`
    insert into decommissioned_node (serial_number, customer_id, facility_name, site_name, decommissioned_at)
    select r.serial, c.id, f.name, f.site_name, now() - interval '90 days' from jsonb_to_recordset($1) as ${columns} ${facilityOf} where r."isDecommissioned"`;
}

function toRow({ serial, type, parentSerial, place, unassigned, decommissionedFrom, machine, ...node }: DemoNode) {
  const facility = place?.facility ?? decommissionedFrom;
  return {
    serial,
    type,
    parentSerial,
    customerCode: facility?.customerCode,
    facility: facility?.name,
    location: place?.location,
    slot: place?.slot,
    timezone: node.timezone,
    equipmentType: machine.equipmentType,
    starter: machine.starter,
    loadApplication: machine.loadApplication,
    hp: machine.hp,
    volts: machine.npVoltage,
    amps: machine.npCurrent,
    rpm: machine.npRpm,
    poles: machine.poles,
    unassignedCustomer: unassigned?.customer,
    unassignedFacility: unassigned?.facility,
    unassignedLocation: unassigned?.location,
    isDecommissioned: decommissionedFrom !== undefined,
    currentStatus: node.currentStatus,
    newStatus: node.newStatus,
    notifyOnConnect: node.notifyOnConnect,
    scalarInterval: node.scalarIntervalSeconds,
  };
}
