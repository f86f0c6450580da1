import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const oldestNpm = [11, 10];
const fetchedNpm = "11.21.2";
const fetchedCli = join(root, ".toolchain", "node_modules", "npm", "bin", "npm-cli.js");

/**
 * Command and first arguments of the npm that called us, or of the one on the PATH.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env["npm_execpath"];
  return cli !== undefined && /npm-cli\.[cm]?js$/.test(cli) ? [process.execPath, cli] : ["npm"];
}

/**
 * An npm that knows how to refuse install scripts by list; fetched when the machine's is older.
 * @param {string} node
 * @returns {[string, ...string[]]}
 */
export function modernNpm(node) {
  const [command, ...args] = npmCommand();
  const version = execFileSync(command, [...args, "--version"], { encoding: "utf8", cwd: root });
  if (isAtLeast(version, oldestNpm)) return [command, ...args];
  if (!existsSync(fetchedCli)) {
    execFileSync(
      command,
      [
        ...args,
        "install",
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
        join(root, ".toolchain"),
        `npm@${fetchedNpm}`,
      ],
      {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  }
  return [node, fetchedCli];
}

/**
 * @param {string} version
 * @param {readonly number[]} wanted major and minor
 */
export function isAtLeast(version, [wantedMajor = 0, wantedMinor = 0]) {
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
