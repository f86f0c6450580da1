import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { modernNpm } from "./npm.mjs";
import { environment } from "./processes.mjs";
import { root } from "./root.mjs";

const stampFile = join(root, "node_modules", ".busbar-lock-hash");

/**
 * Installs exactly what the lock file says, when it says something else than last time.
 * @param {string} node
 */
export function installDependencies(node) {
  const hash = installationHash();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return;
  process.stderr.write("Installing dependencies …\n");
  const [command, ...args] = modernNpm(node);
  const { status } = spawnSync(command, [...args, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: environment(node),
  });
  if (status !== 0) throw new Error("The dependencies could not be installed; npm's own message is above.");
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, hash);
}

function installationHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(readFileSync(join(root, ".npmrc")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
}
