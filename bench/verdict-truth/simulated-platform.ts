import { join } from "node:path";
import type { Pool } from "@busbar/server/db/pool.ts";
import { hashNodeSecret } from "@busbar/server/lib/node-secrets.ts";
import { startServerByClock } from "@busbar/server/testing/server-by-clock.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import { createManualClock } from "@busbar/simulator/testing/manual-clock.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";

/** A whole server over these nodes, by the clock of their world. */
export async function startSimulatedPlatform({ folder, undo }: BenchContext, nodes: readonly SimNode[]) {
  const dataDir = join(folder, "truth");
  await fillMigrated(dataDir);
  const world = createManualClock(Date.now());
  const clock = { now: () => world.now(), monotonic: () => world.now() };
  let token = "";
  const server = await startServerByClock({
    dataDir,
    clock,
    undo,
    async prepare(pool) {
      await addNodes(pool, nodes);
      [token = ""] = await createStaffSessions(pool, dataDir, 1);
    },
  });
  return {
    ...server,
    dataDir,
    clock,
    world,
    call: async (method: "GET" | "PATCH", url: string): Promise<number> =>
      (await server.app.inject({ method, url: `/api${url}`, headers: { token } })).statusCode,
  };
}
export type SimulatedPlatform = Awaited<ReturnType<typeof startSimulatedPlatform>>;

async function addNodes(pool: Pool, nodes: readonly SimNode[]): Promise<void> {
  const facilities = [...new Set(nodes.map(({ facilityKey }) => facilityKey))];
  await pool.query("insert into customer (code, name) values ('truth', 'Invented Works')");
  await pool.query(
    "insert into facility (customer_id, name, site_name) select c.id, u.name, u.name from customer c, unnest($1::text[]) as u (name)",
    [facilities],
  );
  await pool.query(
    `insert into location (facility_id, name, timezone, np_voltage, np_current)
     select f.id, u.serial::text, u.timezone, u.volts, u.amps
     from unnest($1::int4[], $2::text[], $3::text[], $4::float8[], $5::float8[]) as u (serial, facility, timezone, volts, amps)
     join facility f on f.name = u.facility order by u.serial`,
    [
      nodes.map(({ serial }) => serial),
      nodes.map(({ facilityKey }) => facilityKey),
      nodes.map(({ timezone }) => timezone),
      nodes.map(({ npVoltage }) => npVoltage),
      nodes.map(({ npCurrent }) => npCurrent),
    ],
  );
  await pool.query(
    `insert into node (serial_number, current_deployment_status, new_deployment_status, scalar_interval_seconds)
     select u.serial, 'Deployed', 'Deployed', u.seconds from unnest($1::int4[], $2::int4[]) as u (serial, seconds)`,
    [nodes.map(({ serial }) => serial), nodes.map(({ scalarIntervalSeconds }) => scalarIntervalSeconds)],
  );
  await pool.query("insert into node_assignment (serial_number, location_id, slot) select name::int4, id, 1 from location");
  await pool.query("insert into node_credential (serial_number, secret_hash) select * from unnest($1::int4[], $2::bytea[])", [
    nodes.map(({ serial }) => serial),
    nodes.map(({ secret }) => hashNodeSecret(secret)),
  ]);
}
