import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const skipped = new Set(["dist", "node_modules"]);

/**
 * One hash over names and contents of files and folders; tests and build results do not count.
 * @param {string} root
 * @param {readonly string[]} paths under the root
 */
export function hashFiles(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of listFiles(root, path))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]} in the same order on every machine
 */
function listFiles(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(join(root, path))
    .filter((name) => !skipped.has(name))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
