import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** How to start PostgreSQL, which refuses to run as root. */
export interface PostgresUser {
  /** Command and arguments to put before the program. */
  prefix: string[];
  /** Ids for `spawn`, absent when the process keeps its own. */
  ids?: { uid: number; gid: number };
}

const namespacePrefix = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];

/**
 * As an ordinary user: as that user. As root: as `postgres` or `nobody` when that user can reach the folders, else as root in
 * a user namespace where root has another number (a checkout under /root or in a private temporary folder).
 */
export function choosePostgresUser(dataDir: string, binaries: string): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const ids = unprivilegedIds();
  const owner = existsSync(dataDir) ? statSync(dataDir).uid : undefined;
  const hasDatabase = existsSync(`${dataDir}/PG_VERSION`);
  const ownedByRoot = hasDatabase && owner === 0;
  if (ids && !ownedByRoot && isReachable(dirname(dataDir)) && isReachable(binaries)) return { prefix: [], ids };
  if (hasDatabase && !ownedByRoot) {
    throw new Error(
      `The data folder ${dataDir} belongs to another user, who cannot reach it here. Move it back or choose another DATA_DIR.`,
    );
  }
  if (!existsSync("/usr/bin/unshare")) {
    throw new Error(
      `PostgreSQL does not run as root and no other user can reach ${dataDir}. Start as an ordinary user, or set DATA_DIR to a folder that all users can enter.`,
    );
  }
  return { prefix: namespacePrefix };
}

function unprivilegedIds(): { uid: number; gid: number } | undefined {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

/** Whether every folder on the way can be entered by everyone. */
function isReachable(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path) && (statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
