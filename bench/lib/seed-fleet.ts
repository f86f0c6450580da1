import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, patientConnectTimeoutMs, type Pool } from "@busbar/server/db/pool.ts";
import { ensureScalarPartitions } from "@busbar/server/db/scalar-partitions.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { fillMigrated } from "./migrated-folder.ts";

export interface FleetOptions {
  dataDir: string;
  nodes: number;
  /** How many of them will send, from the first on; the others do not change. */
  connected: number;
  /** Runs on the seeded database, before it is closed. */
  also?: (pool: Pool) => Promise<void>;
}

export const firstSerial = 10_000;
export const serialOf = (index: number): number => firstSerial + index;

/** The secret of a generated node, the same at every run. */
export const secretOf = (serial: number): string => `bench-secret-${serial}`;

/** Makes a data folder whose database holds a generated fleet with names, places, credentials and last values. */
export async function seedFleet({ dataDir, nodes, connected, also }: FleetOptions): Promise<void> {
  await fillMigrated(dataDir);
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  const pool = createPool(database.url, { max: 2, connectTimeoutMs: patientConnectTimeoutMs });
  try {
    const now = Date.now() / 1000;
    await ensureScalarPartitions(pool, now - 86_400, now + 86_400);
    for (const statement of fleetStatements(nodes, connected)) await pool.query(statement);
    await also?.(pool);
    await pool.query("analyze");
  } finally {
    await pool.end();
    await database.stop();
  }
}

const pick = (names: string, index: string): string => `('{${names}}'::text[])[1 + (${index}) % ${names.split(",").length}]`;
const places = "Harbor Mill,Stonebrook,Lakeview,Ridgeline,Elm Hollow,Copper Flats,Northgate,Sandbar";
const machines = "Refiner,Vacuum Pump,Chipper,ID Fan,Conveyor,Debarker,Fan Pump,Press Roll,Agitator,Dryer";
const zones =
  "America/New_York,America/Chicago,America/Denver,America/Los_Angeles,America/Anchorage,Pacific/Honolulu,America/Phoenix,Asia/Kolkata";

// One location for each node, 25 locations a facility, 10 facilities a customer.
const fleetStatements = (nodes: number, connected: number): string[] => [
  `insert into customer (code, name) select 'cust' || i, 'Invented Works ' || i from generate_series(0, ${Math.ceil(nodes / 250) - 1}) i`,
  `insert into facility (customer_id, name, site_name)
   select c.id, ${pick(places, "f.i")} || ' ' || f.i, 'Site ' || f.i
   from (select id, row_number() over (order by id) - 1 as n from customer) c cross join lateral generate_series(c.n * 10, c.n * 10 + 9) f(i)`,
  `insert into location (facility_id, name, timezone)
   select f.id, ${pick(machines, "i")} || ' ' || i, ${pick(zones, "i / 25")}
   from generate_series(0, ${nodes - 1}) i join (select id, row_number() over (order by id) - 1 as n from facility) f on f.n = i / 25`,
  `insert into node (serial_number, current_deployment_status, new_deployment_status)
   select ${firstSerial} + i, 'Deployed', 'Deployed' from generate_series(0, ${nodes - 1}) i`,
  `insert into node_assignment (serial_number, location_id, slot)
   select ${firstSerial} + row_number() over (order by id) - 1, id, 1 from location`,
  `insert into node_credential (serial_number, secret_hash)
   select serial_number, sha256(convert_to('bench-secret-' || serial_number, 'UTF8')) from node`,
  // A silent node is dated ahead: its count of missed scalars does not change, so that only connected nodes change.
  `update node_live set is_connected = true, last_seen_at = now(), last_meter_at = now(), is_sensor_ok = true, event_count = serial_number % 40,
     last_scalar_at = now() + case when serial_number < ${firstSerial + connected} then interval '-10 s' else interval '1 hour' end,
     last_datafile_at = now() - serial_number % 900 * interval '1 s', last_one_second_file_at = now() - serial_number % 60 * interval '1 s',
     last_scalar_data = '1,1,' || (extract(epoch from now()) * 1000)::bigint - serial_number
       || (select string_agg(',' || round((random() * 480)::numeric + (serial_number + g) % 7, 3), '') from generate_series(1, 16) g),
     changed_xid = pg_current_xact_id()`,
];
