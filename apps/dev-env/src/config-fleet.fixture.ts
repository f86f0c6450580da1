import { outcomeChannel } from "@busbar/server/features/telemetry/node-commands/node-command.ts";
import { createNodeCommandsStore } from "@busbar/server/features/telemetry/node-commands/node-commands.store.ts";
import { createTestApp, type TestApp } from "@busbar/server/testing/test-app.ts";
import { createTestIngest, testSecret, type TestIngest } from "@busbar/server/testing/test-ingest.ts";
import { addPlace } from "@busbar/server/testing/test-world.ts";
import { startFleet, type Fleet } from "@busbar/simulator/fleet.ts";
import type { Quirks, SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import { sampleNode } from "@busbar/simulator/testing/sample-node.ts";
import { vi } from "vitest";

export interface ConfigFleet {
  server: TestApp;
  ingest: TestIngest;
  fleet: Fleet;
  /** Whether the platform knows that it is connected. */
  isConnected(serial: number): Promise<boolean>;
  /** A 2FA code. The platform's clock has caught up with that of the nodes, which write nothing that is too old. */
  passcode(username: string): Promise<string>;
  /** Ends the time that a node has to answer, as soon as the next command to it is on its way. */
  endWait(serial: number): Promise<void>;
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

const simNode = ({ serial, type = "Node", parentSerial, quirks = {} }: FleetNode): SimNode =>
  sampleNode({ serial, type, ...(parentSerial === undefined ? {} : { parentSerial }), secret: testSecret, quirks });

/** The application, ingest with its broker, and simulated nodes that talk MQTT with it and may take as long to answer as is allowed. */
export async function startConfigFleet(nodes: readonly FleetNode[]): Promise<ConfigFleet> {
  const server = await createTestApp({ NODE_ANSWER_SECONDS: "20" });
  const { pool } = server.database;
  const ingest = await createTestIngest({}, server.database);
  for (const { serial, type = "Node", parentSerial, location } of nodes) {
    const place = location === undefined ? undefined : await addPlace(pool, "America/Chicago");
    if (place) await pool.query("update location set name = $2 where id = $1", [place.locationId, location]);
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
    passcode(username) {
      server.clock.advance(Math.max(0, Date.now() - server.clock.now()) / 1000);
      return server.passcode(username);
    },
    async endWait(serial) {
      const sent = "select id from node_command where serial_number = $1 and state = 'sent' and awaits_answer";
      const { id } = await vi.waitUntil(async () => (await ingest.rows<{ id: string }>(sent, [serial]))[0], { interval: 20 });
      await createNodeCommandsStore(pool).giveUp(id);
      await ingest.rows("select pg_notify($1, $2)", [outcomeChannel, id]);
    },
    async stop() {
      await fleet.stop();
      await ingest.stop();
      await server.stop();
    },
  };
}
