import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const oldestNpm = [11, 10];
const fetchedNpm = "11.21.2";
export const toolchain = join(root, ".toolchain");
const fetchedCli = join(toolchain, "node_modules", "npm", "bin", "npm-cli.js");

/**
 * Command and first arguments of the npm that called us, or of the one on the PATH.
 * @returns {[string, ...string[]]}
 */
function npmCommand() {
  const cli = process.env["npm_execpath"];
  return cli !== undefined && /npm-cli\.[cm]?js$/.test(cli) ? [process.execPath, cli] : ["npm"];
}

/**
 * An npm that can refuse install scripts by list and installs optional platform packages rightly; fetched when the machine's is older.
 * @param {string} node
 * @returns {[string, ...string[]]}
 */
export function modernNpm(node) {
  const [command, ...args] = npmCommand();
  if (isAtLeast(run([command, ...args], ["--version"], "npm was not found. It comes with Node; install both."), oldestNpm))
    return [command, ...args];
  if (!existsSync(fetchedCli)) fetchPackage(`npm@${fetchedNpm}`, "A newer npm could not be fetched from the package registry.");
  return [node, fetchedCli];
}

/**
 * Installs one package into the ignored folder `.toolchain`.
 * @param {string} name with its version
 * @param {string} otherwise the sentence when it fails
 */
export function fetchPackage(name, otherwise) {
  process.stderr.write(`Fetching ${name} into .toolchain …\n`);
  mkdirSync(toolchain, { recursive: true });
  // Without its own package.json npm would install into the checkout.
  writeFileSync(join(toolchain, "package.json"), '{ "private": true }\n');
  run(
    npmCommand(),
    ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", name],
    otherwise,
  );
}

/**
 * @param {[string, ...string[]]} npm
 * @param {string[]} args
 * @param {string} otherwise
 */
function run([command, ...first], args, otherwise) {
  mkdirSync(toolchain, { recursive: true });
  const { status, stdout } = spawnSync(command, [...first, ...args], {
    encoding: "utf8",
    cwd: toolchain,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(otherwise);
  return stdout;
}

/**
 * @param {string} version
 * @param {readonly number[]} required major and minor
 */
export function isAtLeast(version, [requiredMajor = 0, requiredMinor = 0]) {
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  return major > requiredMajor || (major === requiredMajor && minor >= requiredMinor);
}
