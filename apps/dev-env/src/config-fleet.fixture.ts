import { createTestApp } from "@busbar/server/testing/test-app.ts";
import type { TestApp } from "@busbar/server/testing/test-app.ts";
import { createTestIngest, testSecret } from "@busbar/server/testing/test-ingest.ts";
import type { TestIngest } from "@busbar/server/testing/test-ingest.ts";
import { addPlace } from "@busbar/server/testing/test-world.ts";
import { startFleet } from "@busbar/simulator/fleet.ts";
import type { Fleet } from "@busbar/simulator/fleet.ts";
import type { Quirks, SimNode } from "@busbar/simulator/node-model/sim-node.ts";

export interface ConfigFleet {
  server: TestApp;
  ingest: TestIngest;
  fleet: Fleet;
  /** Whether the platform knows that it is connected. */
  isConnected(serial: number): Promise<boolean>;
  stop(): Promise<void>;
}

export interface FleetNode {
  serial: number;
  type?: string;
  parentSerial?: number;
  quirks?: Quirks;
  /** At a location named so. */
  location?: string;
}

const simNode = ({ serial, type = "Node", parentSerial, quirks = {} }: FleetNode): SimNode => ({
  serial,
  type,
  ...(parentSerial === undefined ? {} : { parentSerial }),
  facilityKey: "mill",
  timezone: "America/Chicago",
  equipmentType: "InductionMotor",
  role: "primary",
  hp: 50,
  npVoltage: 460,
  npCurrent: 57.6,
  npFrequency: 60,
  poles: 4,
  loadProfile: "pump",
  shift: "continuous",
  starter: "FVNR",
  scalarIntervalSeconds: 10,
  secret: testSecret,
  quirks,
});

/** The application, ingest with its broker, and simulated nodes that talk MQTT with it. */
export async function startConfigFleet(nodes: readonly FleetNode[], env: Record<string, string> = {}): Promise<ConfigFleet> {
  const server = await createTestApp(env);
  const ingest = await createTestIngest({}, server.database);
  for (const { serial, type = "Node", parentSerial, location } of nodes) {
    const place = location === undefined ? undefined : await addPlace(server.database.pool, "America/Chicago");
    if (place) await server.database.pool.query("update location set name = $2 where id = $1", [place.locationId, location]);
    await ingest.addNode(serial, place, { type, ...(parentSerial === undefined ? {} : { parent_serial_number: parentSerial }) });
  }
  const fleet = startFleet({ nodes: nodes.map(simNode), to: ingest.mqttUrl, seed: 7, startDelayMaxSeconds: 0, faults: { scale: 0 } });
  return {
    server,
    ingest,
    fleet,
    async isConnected(serial) {
      const rows = await ingest.rows<{ connected: boolean }>("select is_connected as connected from node_live where serial_number = $1", [
        serial,
      ]);
      return rows[0]?.connected === true;
    },
    async stop() {
      await fleet.stop();
      await ingest.stop();
      await server.stop();
    },
  };
}
