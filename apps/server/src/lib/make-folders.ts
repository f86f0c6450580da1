import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, for us alone, and those above it. Unlike `mkdirSync` with `recursive`, it ends with ENOENT where a file system takes no folders at all
 * (`/proc`), instead of trying for ever.
 */
export function makeFolders(path: string, mode = ownMode()): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolders(parent, 0o755);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may make it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

// PostgreSQL does not run as root: who it runs as goes through to its own folder, and sees nothing else.
const ownMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700);
