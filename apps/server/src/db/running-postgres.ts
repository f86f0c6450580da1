import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { embeddedUrl, socketFolder } from "./postgres-folder.ts";
import { worksIn } from "./process-lock.ts";

/** Address of the embedded server that another process of ours runs on this folder; undefined when none does. */
export function findRunningPostgres(folder: string): string | undefined {
  const dataDir = resolve(folder);
  const pidFile = join(dataDir, "postmaster.pid");
  if (!existsSync(pidFile)) return undefined;
  const lines = readFileSync(pidFile, "utf8").split("\n");
  const isReady = worksIn(Number(lines[0]), dataDir) && lines[7]?.trim() === "ready";
  return isReady ? embeddedUrl(lines[4] ?? socketFolder(dataDir)) : undefined;
}
