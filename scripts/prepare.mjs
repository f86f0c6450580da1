// Installs and builds only what changed since the last time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "./toolchain.mjs";

/** Hash over the contents of files and folders; the same tree gives the same hash on every machine. */
export function hashOf(root, paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    const entries = statIsFolder(full) ? readdirSync(full).sort() : undefined;
    if (entries) for (const name of entries) add(`${path}/${name}`);
    else hash.update(path).update("\0").update(readFileSync(full)).update("\0");
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

function statIsFolder(path) {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` unless the stamp file already holds this hash. */
export function whenChanged(stamp, hash, work) {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

export function install(root, { npm, node }) {
  const manifests = ["package-lock.json", "package.json", ".npmrc"];
  whenChanged(join(root, "node_modules", ".busbar-installed"), `${process.platform}-${process.arch} ${hashOf(root, manifests)}`, () => {
    console.log("Installing dependencies …");
    const args = [...npm.slice(1), "ci", "--no-audit", "--no-fund", "--loglevel=error"];
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
    const result = spawnSync(npm[0], args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], env });
    if (result.status !== 0) fail("The dependencies could not be installed (message above).");
  });
}

export function buildConsole(root, node) {
  const sources = [
    "apps/console/src",
    "apps/console/index.html",
    "apps/console/vite.config.ts",
    "apps/console/public",
    "packages/contract/src",
    "package-lock.json",
  ];
  whenChanged(join(root, "apps/console/dist/.built"), hashOf(root, sources), () => {
    console.log("Building the console …");
    const vite = join(root, "node_modules/vite/bin/vite.js");
    const result = spawnSync(node, [vite, "build", "--logLevel", "warn"], {
      cwd: join(root, "apps/console"),
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (result.status !== 0) fail("The console could not be built (message above).");
  });
}
