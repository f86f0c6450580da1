import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 20_000;
const everyMs = 50;

/**
 * The server that works in a database folder; undefined when there is none.
 * @param {string} folder
 */
function serverIn(folder) {
  try {
    const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, 0);
    // The number may belong to another program by now.
    const isIts = process.platform !== "linux" || readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    return isIts ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends the database of a program that is gone and did not do it itself: in order, and at once when that takes too long.
 * @param {string} folder
 */
export async function endDatabase(folder) {
  const pid = serverIn(folder);
  if (pid === undefined) return;
  process.kill(pid, "SIGINT");
  for (const hardAt = performance.now() + patienceMs; serverIn(folder) === pid; await pause(everyMs)) {
    if (performance.now() > hardAt) process.kill(pid, "SIGQUIT");
  }
}
