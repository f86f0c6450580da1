import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";

export interface DirectorySize {
  customers: number;
  facilities: number;
  locations: number;
}

const words = "Amber,Birch,Cedar,Delta,Ember,Fern,Granite,Harbor,Iron,Juniper,Kestrel,Larch,Maple,North,Ochre,Pine";
const word = (index: string) => `('{${words}}'::text[])[1 + (${index}) % 16]`;
const machine = (index: string) =>
  `('{Feed Pump,Exhaust Fan,Conveyor,Crusher,Compressor,Blower,Agitator,Press}'::text[])[1 + (${index}) % 8]`;

/** Makes a data folder whose database holds a generated directory: facilities evenly over customers, a node at each location. */
export async function seedDirectory(dataDir: string, size: DirectorySize, also: (pool: Pool) => Promise<void>): Promise<void> {
  await fillMigrated(dataDir);
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  const pool = createPool(database.url, { max: 2 });
  const { customers, facilities, locations } = size;
  const letters = (index: string) => `chr(97 + ${index} / 676 % 26) || chr(97 + ${index} / 26 % 26) || chr(97 + ${index} % 26)`;
  try {
    await pool.query(
      `insert into customer (code, name) select ${letters("g")}, ${word("g")} || ' ' || ${word("g / 16")} || ' ' || g from generate_series(1, ${customers}) g`,
    );
    await pool.query(
      `insert into facility (customer_id, name, site_name, facility_location)
       select (select id from customer order by id offset g % ${customers} limit 1), ${word("g")} || ' Works ' || g, ${word("g / 7")} || ' Site', '44.1,-122.9'
       from generate_series(1, ${facilities}) g`,
    );
    await pool.query(
      `with f as (select id, row_number() over (order by id) - 1 as place from facility)
       insert into location (facility_id, name, timezone, starter, load_application, np_hp, np_voltage, np_current, np_rpm, np_poles)
       select f.id, ${machine("g")} || ' ' || g, 'America/Chicago', 'FVNR', 'Direct Coupled', 100, 460, 112.8, 1780, 4
       from generate_series(1, ${locations}) g join f on f.place = g % ${facilities}`,
    );
    await pool.query(
      `insert into node (serial_number, current_deployment_status, new_deployment_status) select 10000 + g, 'Deployed', 'Deployed' from generate_series(1, ${locations}) g`,
    );
    await pool.query(
      "insert into node_assignment (serial_number, location_id, slot) select 10000 + row_number() over (order by id), id, 1 from location",
    );
    await also(pool);
    await pool.query("analyze");
  } finally {
    await pool.end();
    await database.stop();
  }
}
