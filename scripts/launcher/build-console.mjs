import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashFiles } from "./hash-files.mjs";
import { environment } from "./processes.mjs";
import { root } from "./root.mjs";

const consoleDir = join(root, "apps", "console");
const stampFile = join(consoleDir, "dist", ".build-hash");
const sources = ["apps/console", "packages/contract", "package-lock.json"];

/**
 * Builds the console for production unless nothing that it is made of has changed.
 * @param {string} node
 */
export async function buildConsole(node) {
  const hash = hashFiles(root, sources);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return;
  process.stderr.write("Building the console …\n");
  const builder = spawn(node, [join(root, "node_modules", "vite", "bin", "vite.js"), "build", "--logLevel", "error"], {
    cwd: consoleDir,
    stdio: ["ignore", "inherit", "inherit"],
    // A test that starts the launcher has another one, with which React would be built for development.
    env: { ...environment(node), NODE_ENV: "production" },
  });
  const [code] = await once(builder, "close");
  if (code !== 0) throw new Error("The console could not be built; the builder's own message is above.");
  writeFileSync(stampFile, hash);
}
