// A process of its own that holds a service and never lets go; a test kills it.
import { createPool } from "#db/pool.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLog } from "#lib/log.ts";
import { createScheduler } from "#services/scheduler.ts";

createScheduler({
  pool: createPool(process.argv[2] ?? "", { max: 2, applicationName: "scheduler child" }),
  tasks: [
    {
      name: "Held",
      intervalSeconds: 60,
      did: String,
      run() {
        process.stdout.write("running\n");
        return new Promise(() => {});
      },
    },
  ],
  clock: systemClock,
  log: silentLog,
}).start();
