import type { Log } from "./log.ts";

/** Less than a service manager waits (deploy/busbar.service). */
const longestStopMs = 40_000;

/** Resolves with the reason when this process is asked to stop, or when the launcher that started it is gone. */
export function stopRequested(): Promise<string> {
  // A terminal that is closed takes no words any more: that must not end us before we have stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return new Promise((stop) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(signal));
    process.once("disconnect", () => stop("the launcher ended"));
    // Listening must not keep alive a process that has nothing more to do.
    process.channel?.unref();
  });
}

/** Ends a process that is still there a while after it was asked to stop: one connection that never closes keeps it alive. */
export function endLate(log: Log, waitMs = longestStopMs): void {
  setTimeout(() => {
    log.error({ keptAliveBy: process.getActiveResourcesInfo() }, "not everything stopped in time: ended without it");
    process.exit(1);
  }, waitMs).unref();
}

/** Names the folder of the embedded database to the launcher, which ends it if we cannot. */
export function notifyLauncher(postgresFolder: string): void {
  process.send?.({ postgres: postgresFolder });
}
