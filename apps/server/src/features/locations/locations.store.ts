import type { Pool, PoolClient } from "pg";
import type { LocationForm } from "@busbar/contract/locations.ts";
import { readFrequencies } from "./locations.view.ts";
import type { LocationRow } from "./locations.view.ts";

export type Db = Pool | PoolClient;

/** Where a location is; the path of every call names it. */
export interface Place {
  customerId: number;
  facilityId: number;
}

/** The names of a facility and its customer. */
export interface PlaceNames extends Place {
  customerCode: string;
  customerName: string;
  facilityName: string;
}

const nodeObject = `json_build_object('slot', a.slot, 'serialNumber', n.serial_number::text, 'type', n.type, 'container', n.container,
  'currentDeploymentStatus', n.current_deployment_status, 'newDeploymentStatus', n.new_deployment_status, 'deploymentTaskType', n.deployment_task_type,
  'monitorDailyProgress', n.monitor_daily_progress, 'monitorMissingData', n.monitor_missing_data, 'monitorDataPointAlerts', n.monitor_data_point_alerts)`;

const locationColumns = `l.id, l.facility_id, l.name, l.asset_location_number, l.customer_x_ref_id, l.equipment_type, l.timezone,
  floor(extract(epoch from l.equipment_start_at))::float8 as equipment_start, l.billing_start_date::text, l.billing_end_date::text, l.paid_thru_date::text,
  l.notify_missed_data, l.starter, l.load_application, l.voltage_tap_location, l.ct_location, l.channels, l.np_voltage, l.np_current, l.np_hp, l.np_rpm,
  l.np_poles, l.np_rotor_bars, l.np_service_factor, l.fault_library_alert_flags, l.harmonic_signatures, l.revision,
  coalesce((select json_agg(${nodeObject} order by a.slot) from node_assignment a join node n using (serial_number) where a.location_id = l.id), '[]') as nodes`;

/** A location by its number; `place` says where it must be. */
export async function findLocation(db: Db, id: number, place?: Place): Promise<LocationRow | undefined> {
  const { rows } = await db.query<LocationRow>({
    name: "find-location",
    text: `/* find-location */ select ${locationColumns} from location l join facility f on f.id = l.facility_id
           where l.id = $1 and ($2::int is null or (f.id = $2 and f.customer_id = $3))`,
    values: [id, place?.facilityId ?? null, place?.customerId ?? null],
  });
  return rows[0];
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockLocation(client: PoolClient, id: number, place: Place): Promise<LocationRow | undefined> {
  // Locked first, read after: what a waiting reader saw before would be outdated.
  await client.query({ name: "lock-location", text: "/* lock-location */ select from location where id = $1 for update", values: [id] });
  return await findLocation(client, id, place);
}

/** The names of a facility, which stays where it is until the transaction ends. */
export async function holdFacility(client: PoolClient, place: Place): Promise<PlaceNames | undefined> {
  const { rows } = await client.query<PlaceNames>({
    name: "hold-facility",
    text: `/* hold-facility */ select c.id as "customerId", c.code as "customerCode", c.name as "customerName", f.id as "facilityId", f.name as "facilityName"
           from facility f join customer c on c.id = f.customer_id where f.id = $1 and f.customer_id = $2 for share of f`,
    values: [place.facilityId, place.customerId],
  });
  return rows[0];
}

const writable = [
  "name",
  "asset_location_number",
  "customer_x_ref_id",
  "equipment_type",
  "timezone",
  "equipment_start_at",
  "billing_start_date",
  "billing_end_date",
  "paid_thru_date",
  "notify_missed_data",
  "starter",
  "load_application",
  "voltage_tap_location",
  "ct_location",
  "channels",
  "np_voltage",
  "np_current",
  "np_hp",
  "np_rpm",
  "np_poles",
  "np_rotor_bars",
  "np_service_factor",
  "fault_library_alert_flags",
  "harmonic_signatures",
] as const;

/** In the order of `writable`. */
function valuesOf(location: LocationForm): unknown[] {
  return [
    location.name,
    location.assetLocationNumber,
    location.customerXRefId,
    location.equipmentType,
    location.timezone,
    new Date(location.equipmentStartTimestamp * 1000),
    location.billingStartDate,
    location.billingEndDate,
    location.paidThruDate,
    location.notifyMissedData,
    location.starter,
    location.loadApplication,
    location.voltageTapLocation,
    location.ctLocation,
    location.channels,
    location.npVoltage,
    location.npCurrent,
    location.npHp,
    location.npRpm,
    location.npPoles,
    location.npRotorBars,
    location.npServiceFactor,
    JSON.stringify(location.faultLibraryAlertFlags),
    JSON.stringify(location.harmonicSignatures.map(([name, frequencies]) => [name, readFrequencies(frequencies)])),
  ];
}

export async function insertLocation(client: PoolClient, facilityId: number, location: LocationForm): Promise<number> {
  const { rows } = await client.query<{ id: number }>({
    name: "insert-location",
    text: `/* insert-location */ insert into location (facility_id, ${writable.join(", ")}) values ($1, ${writable.map((_, index) => `$${index + 2}`).join(", ")}) returning id`,
    values: [facilityId, ...valuesOf(location)],
  });
  const row = rows[0];
  if (!row) throw new Error("a location was inserted without an id");
  return row.id;
}

export async function writeLocation(client: PoolClient, id: number, location: LocationForm): Promise<void> {
  await client.query({
    name: "write-location",
    text: `/* write-location */ update location set ${writable.map((column, index) => `${column} = $${index + 2}`).join(", ")}, revision = revision + 1 where id = $1`,
    values: [id, ...valuesOf(location)],
  });
}

export async function deleteLocationRow(client: PoolClient, id: number): Promise<void> {
  await client.query({ name: "delete-location", text: "/* delete-location */ delete from location where id = $1", values: [id] });
}

export async function moveLocationRow(client: PoolClient, id: number, facilityId: number): Promise<void> {
  await client.query({
    name: "move-location",
    text: "/* move-location */ update location set facility_id = $2, revision = revision + 1 where id = $1",
    values: [id, facilityId],
  });
}

export async function countNotes(db: Db, id: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "count-location-notes",
    text: "/* count-location-notes */ select count(*)::int as count from location_note where location_id = $1",
    values: [id],
  });
  return rows[0]?.count ?? 0;
}
