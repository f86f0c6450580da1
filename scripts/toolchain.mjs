// Finds a Node that can run the project, or fetches one: the npm package node-<platform>-<arch> is the plain binary.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const neededMajor = 24;
const nodeVersion = "24.21.0";
const npmVersion = "11.21.2";
// Older ones do not know the settings of .npmrc, and fail on optional platform packages.
const neededNpm = [11, 10];

/** Whether a version such as `v24.1.0` is new enough. */
export function isNewEnough(version, needed) {
  const parts = version.replace(/^v/, "").split(".").map(Number);
  for (const [index, minimum] of needed.entries()) {
    if ((parts[index] ?? 0) !== minimum) return (parts[index] ?? 0) > minimum;
  }
  return true;
}

/** @returns {{ node: string, npm: string[] }} the Node to run with, and the command line of npm */
export function findToolchain(root) {
  const folder = join(root, ".toolchain");
  const fetchedNode = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  const fetchedNpm = join(folder, "node_modules", "npm", "bin", "npm-cli.js");
  const hasNode = isNewEnough(process.version, [neededMajor]);
  const machineNpm = npmCommand();
  const hasNpm = machineNpm !== undefined && isNewEnough(machineNpm.version, neededNpm);

  const missing = [];
  if (!hasNode && !existsSync(fetchedNode)) missing.push(`node-${process.platform}-${process.arch}@${nodeVersion}`);
  if (!hasNpm && !existsSync(fetchedNpm)) missing.push(`npm@${npmVersion}`);
  if (missing.length > 0) fetch(folder, missing, machineNpm);

  const node = hasNode ? process.execPath : fetchedNode;
  return { node, npm: hasNpm ? machineNpm.command : [node, fetchedNpm] };
}

function npmCommand() {
  const command = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const result = spawnSync(command[0], [...command.slice(1), "--version"], { encoding: "utf8" });
  return result.status === 0 ? { command, version: result.stdout.trim() } : undefined;
}

function fetch(folder, packages, npm) {
  if (npm === undefined) fail("npm was not found; it comes with Node: install Node 20 or newer.");
  console.log(`Fetching ${packages.join(" and ")} into .toolchain …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = [
    "install",
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...packages,
  ];
  const result = spawnSync(npm.command[0], [...npm.command.slice(1), ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (result.status !== 0) fail(`${packages.join(" and ")} could not be fetched from the npm registry (message above).`);
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
