/** Resolves with the reason when this process is asked to stop, or when the launcher that started it is gone. */
export function stopRequested(): Promise<string> {
  return new Promise((stop) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(signal));
    process.once("disconnect", () => stop("the launcher ended"));
    // Listening must not keep alive a process that has nothing more to do.
    process.channel?.unref();
  });
}
