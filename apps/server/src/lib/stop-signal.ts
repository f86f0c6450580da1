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

/** Names the folder of the embedded database to the launcher, which ends it if we cannot. */
export function notifyLauncher(postgresFolder: string): void {
  process.send?.({ postgres: postgresFolder });
}
