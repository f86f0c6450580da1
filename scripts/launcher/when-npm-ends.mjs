import { readFileSync } from "node:fs";

const everyMs = 250;

/**
 * The parent of a process, where the system tells it in a file.
 * @param {number} pid
 */
function parentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1];
  } catch {
    return undefined;
  }
}

// Noted at once: npm may be gone before what has to be prepared is.
const shell = process.ppid;
const npm = parentOf(shell);

/**
 * npm starts us through a shell, which does not pass signals on: that one of them is gone is all that we learn of a stop.
 * @param {() => void} act
 * @returns {() => void} forgets it
 */
export function whenNpmEnds(act) {
  if (!process.env["npm_lifecycle_script"]?.startsWith("node scripts/run.mjs")) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    act();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
