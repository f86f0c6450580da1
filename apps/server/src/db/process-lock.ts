import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Whether a living process with this id works in `folder`, as a database server does in its data folder. */
export function worksIn(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // A zombie has no folder, another user's process hides it.
    if (isGoneOrHidden(error)) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function startTicksOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
  } catch (error) {
    if (isGoneOrHidden(error)) return "";
    throw error;
  }
}

function isGoneOrHidden(error: unknown): boolean {
  return ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}

// A container that starts again hands out the same numbers: the start time distinguishes two processes of one number.
const identify = (pid: number): string => `${pid} ${startTicksOf(pid)}`.trim();

/**
 * Takes a lock file that names this process; a lock whose process is dead is replaced.
 * @returns releases the lock
 * @throws when a living process holds it: a sentence that begins with `resource`
 */
export function acquireProcessLock(path: string, resource: string): () => void {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  // Linked into place, so that no one ever reads a lock that is not yet written.
  writeFileSync(own, identify(process.pid), { flag: "wx" });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(own, path)) return () => rmSync(path, { force: true });
      const holder = readHolder(path);
      if (holder === undefined) continue;
      const pid = Number(holder.split(" ")[0]);
      if (isAlive(pid) && identify(pid) === holder) {
        throw new Error(`${resource} is in use by another running copy (process ${pid}). Stop it, or set DATA_DIR to another folder.`);
      }
      removeStale(path, holder);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new Error(`${resource} could not be locked: another copy is starting at the same moment.`);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

// Renamed before it is removed: if another starter replaced it since we looked, theirs is put back.
function removeStale(path: string, staleHolder: string): void {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readHolder(aside) !== staleHolder) tryLink(aside, path);
  rmSync(aside, { force: true });
}
