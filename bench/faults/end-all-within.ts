import { readdirSync, readFileSync, rmSync } from "node:fs";

const patienceMs = 2_000;
const lookEveryMs = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Ends every process that was started with this folder as its TMPDIR or in its arguments, frozen ones too, and removes the folder. It does not
 * return before: nothing of ours starts another one meanwhile. Where there is no /proc only the folder goes.
 */
export function endAllWithin(folder: string): void {
  // PostgreSQL waits for its clients after the first, and not after the second.
  for (const signal of ["SIGTERM", "SIGQUIT", "SIGKILL"] as const) {
    for (const pid of processesWithin(folder)) send(pid, signal);
    for (const giveUpAt = Date.now() + patienceMs; processesWithin(folder).length > 0 && Date.now() < giveUpAt;)
      Atomics.wait(sleeper, 0, 0, lookEveryMs);
  }
  rmSync(folder, { recursive: true, force: true });
}

function processesWithin(folder: string): number[] {
  const isWithin = (pid: number) =>
    pid !== process.pid && (read(`/proc/${pid}/cmdline`).includes(folder) || read(`/proc/${pid}/environ`).includes(`TMPDIR=${folder}`));
  try {
    return readdirSync("/proc").map(Number).filter(isWithin);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended meanwhile, or is another user's
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended meanwhile
  }
}
