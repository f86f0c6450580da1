/** Resolves with the reason when this process is asked to stop, or when the launcher that started it is gone. */
export function stopRequested(): Promise<string> {
  return new Promise((stop) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(signal));
    process.once("disconnect", () => stop("the launcher ended"));
  });
}
