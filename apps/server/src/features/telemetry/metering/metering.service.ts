import type { Pool } from "pg";
import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import type { Metering, RawMetering } from "@busbar/contract/telemetry/metering.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Caller } from "#http/endpoints.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, gone, notFound, unavailable } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { createExpiringCache } from "#lib/expiring-cache.ts";
import type { Log } from "#lib/log.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { createDemandFigures } from "./demand-figures.ts";
import { createLiveLeases } from "./live-leases.ts";
import { createMeterReader } from "./meter-reader.ts";
import { hasMeter } from "./meter-status.ts";
import { createMeteringReadModel, type MeteredLocation } from "./metering.read-model.ts";
import { clearMeter, createMeteringStore } from "./metering.store.ts";
import { toMetering } from "./metering.view.ts";
import { toRawMetering } from "./raw-metering.view.ts";
import type { SendCommand } from "./send-command.ts";
import { findWiredNode } from "./wiring.read-model.ts";
import { toNodeWiring } from "./wiring.view.ts";

export interface MeteringDependencies {
  pool: Pool;
  sendCommand: SendCommand;
  /** Efficiency of a motor whose horse power no one entered. */
  readUsualEfficiency: () => Promise<number>;
  clock: Clock;
  log: Log;
}

export interface MeteringForm {
  withString: boolean;
  lineToNeutral: boolean;
  /** Whoever asks goes on asking every second. */
  isWatched: boolean;
}

// Names, nodes and their flags: asked for every second, changed now and then.
const locationKeptMs = 5_000;
const settingKeptMs = 60_000;
const maxLocations = 1_000;
const resetTimeoutMs = 5_000;

export function createMetering({ pool, sendCommand, readUsualEfficiency, clock, log }: MeteringDependencies) {
  const readModel = createMeteringReadModel(pool);
  const readMeters = createMeterReader(readModel);
  const store = createMeteringStore(pool);
  const readDemandFigures = createDemandFigures(readModel, clock);
  const leases = createLiveLeases({ store, sendCommand, clock, log });
  const locations = createExpiringCache<MeteredLocation | undefined>({ clock, keptMs: locationKeptMs, maxEntries: maxLocations });
  const settings = createExpiringCache<number>({ clock, keptMs: settingKeptMs, maxEntries: 1 });

  return {
    /** What the meter shows now. Who asks watches: the nodes are asked to publish every second for a while. */
    async read(locationId: number, { withString, lineToNeutral, isWatched }: MeteringForm): Promise<Metering> {
      const location = await locations.get(String(locationId), () => readModel.location(locationId));
      if (!location) throw gone(say`This location`);
      const { primary, secondary } = location;
      const serials = [primary, secondary].flatMap((node) => (node ? [node.serial] : []));
      const [meters, demand, usualEfficiency] = await Promise.all([
        readMeters(serials),
        primary ? readDemandFigures(primary.serial, location.timezone) : undefined,
        settings.get("usual", readUsualEfficiency),
      ]);
      if (isWatched) leases.renew(meters.filter(({ isConnected, type }) => isConnected && hasMeter(type)).map(({ serial }) => serial));
      return toMetering({
        location,
        primary: meters.find(({ serial }) => serial === primary?.serial),
        secondary: meters.find(({ serial }) => serial === secondary?.serial),
        demand,
        usualEfficiency,
        nowSeconds: clock.now() / 1000,
        withString,
        lineToNeutral,
      });
    },

    /** Zeroes the node's accumulators and forgets its values here; only a node that is there can be reset. */
    async reset(caller: Caller, serial: number): Promise<void> {
      const node = await store.findNode(serial);
      if (!node) throw notFound(`Node ${serial}`);
      if (!hasMeter(node.type)) throw conflict(`Node ${serial} is a ${node.type} and has no meter`);
      const refused = unavailable(`Node ${serial} is not connected`);
      if (!node.isConnected) throw refused;
      const { state } = await sendCommand({
        serialNumber: serial,
        metrics: [{ name: metricNames.meterReset, datatype: DataType.Boolean, value: true }],
        timeoutMs: resetTimeoutMs,
      });
      if (state === "not-sent") throw refused;
      await inTransaction(pool, async (client) => {
        await clearMeter(client, serial);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "RESET_METERING",
          object: nodeObject(serial),
          description: `Metering of node ${serial} reset`,
        });
      });
    },

    async raw(serial: number): Promise<RawMetering> {
      const [meter] = await readModel.meters([serial]);
      if (!meter) throw notFound(say`Node ${serial}`);
      return toRawMetering(meter);
    },

    /** Whether its inputs are wired right, as its last values show. */
    async wiring(serial: number): Promise<NodeWiring> {
      const node = await findWiredNode(pool, serial);
      if (!node) throw notFound(say`Node ${serial}`);
      return toNodeWiring(node, clock.now() / 1000);
    },
  };
}
export type MeteringService = ReturnType<typeof createMetering>;
