import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { DataPointAlerts } from "./data-point-alerts.service.ts";
import { findLate, forgetAlerts } from "./data-point-alerts.store.ts";

/** After a start the nodes need a while to send what they kept: until then nothing of theirs is late. */
const graceSeconds = 1_800;
const name = "DataPointMonitor";

export interface DataPointMonitorOptions {
  pool: Pool;
  clock: Clock;
  alerts: Pick<DataPointAlerts, "raise">;
}

/**
 * Reports nodes that are connected and whose data points stay away; a lost connection has notices of its own.
 * @param upSince epoch seconds since when nodes can deliver; by default from now on
 */
export function createDataPointMonitor({ pool, clock, alerts }: DataPointMonitorOptions, upSince = clock.now() / 1000): Task {
  return {
    name,
    intervalSeconds: 300,
    did: (count) => `Raised ${counted(count, "alert")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      await forgetAlerts(pool, now);
      if (now - upSince < graceSeconds) return 0;
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: await findLate(pool, now),
        kind: "node",
        idOf: ({ serialNumber }) => serialNumber,
        work: (late) => inTransaction(pool, (client) => alerts.raise(client, late)),
      });
      return walk.end(count);
    },
  };
}
