import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fetchPackage, toolchain } from "./npm.mjs";

const oldestMajor = 24;
const fetchedVersion = "24.21.0";
const fetchedNode = join(toolchain, "bin", "node");

/** Path of a Node that is new enough: this one, one on the machine, or one fetched from the package registry. */
export function findOrFetchNode() {
  return nodeCandidates().find(isNewEnough) ?? fetchNode();
}

function nodeCandidates() {
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, "node"));
  return [process.execPath, fetchedNode, ...onPath, ...managedNodes(join(homedir(), ".nvm", "versions", "node"))];
}

/** @param {string} folder */
function managedNodes(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((version) => join(folder, version, "bin", "node"));
}

/** @param {string} node */
function isNewEnough(node) {
  if (node === process.execPath) return majorOf(process.version) >= oldestMajor;
  if (!existsSync(node)) return false;
  try {
    return majorOf(execFileSync(node, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })) >= oldestMajor;
  } catch {
    return false; // made for another machine, or a broken installation: the next candidate may do
  }
}

/**
 * @param {string} version such as `v24.21.0`
 * @returns 0 when it is none
 */
export function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version.trim())?.[1] ?? 0);
}

function fetchNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const hint = `Install Node ${oldestMajor} from https://nodejs.org.`;
  fetchPackage(
    `${name}@${fetchedVersion}`,
    `Node ${oldestMajor} or newer is needed, this is ${process.version}, and ${name} could not be fetched. ${hint}`,
  );
  mkdirSync(dirname(fetchedNode), { recursive: true });
  rmSync(fetchedNode, { force: true });
  symlinkSync(join("..", "node_modules", name, "bin", "node"), fetchedNode);
  if (!isNewEnough(fetchedNode)) throw new Error(`The fetched Node does not run on this machine. ${hint}`);
  return fetchedNode;
}
