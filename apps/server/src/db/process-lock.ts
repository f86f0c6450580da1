import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** Whether a living process with this id runs a program whose command line holds `word`. */
export function isProcess(pid: number, word: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // A zombie has an empty command line.
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  }
  return true;
}

/**
 * Takes a lock file that names this process; a lock whose process is dead is replaced.
 * @returns releases the lock
 * @throws when another living process holds it: a sentence that begins with `thing`
 */
export function acquireProcessLock(path: string, thing: string): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(path, "wx", 0o644);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (!existsSync(path)) continue;
    const holder = Number(readFileSync(path, "utf8"));
    if (holder !== process.pid && isProcess(holder, "node")) {
      throw new Error(`${thing} is in use by another running copy (process ${holder}). Stop it, or set DATA_DIR to another folder.`);
    }
    rmSync(path, { force: true });
  }
  throw new Error(`${thing} could not be locked: another copy is starting at the same moment.`);
}
