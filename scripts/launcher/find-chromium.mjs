import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Chromium without windows. A page of its own costs a quarter of the processor time that it costs in the browser with windows. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "google-chrome", "google-chrome-stable", "chromium-browser"];
const macPaths = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

/**
 * Path of a Chromium: `CHROME_PATH`, the one without windows, installed from Debian when we may, or another on the machine.
 * @returns {Promise<string>}
 */
export async function findOrInstallChromium() {
  const named = process.env["CHROME_PATH"];
  if (named) {
    if (!isProgram(named)) throw new Error(`CHROME_PATH ${named} is no program.`);
    return named;
  }
  const found = findChromium(process.env["PATH"] ?? "");
  if (found?.endsWith(shell)) return found;
  if (process.getuid?.() === 0 && isDebian()) {
    process.stderr.write("Installing Chromium …\n");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (/** @type {string[]} */ ...args) => once(spawn("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }), "close");
    await apt("update");
    await apt("install", "-y", "--no-install-recommends", shell, "fonts-dejavu-core", "fonts-liberation");
    const installed = findChromium(process.env["PATH"] ?? "");
    if (installed !== undefined) return installed;
  }
  if (found !== undefined) return found;
  throw new Error(
    "The tests in a browser need Chromium: install the package chromium-headless-shell or chromium (Debian) or Google Chrome, or set CHROME_PATH to one.",
  );
}

/**
 * @param {string} path list of folders
 * @returns {string | undefined}
 */
export function findChromium(path) {
  const folders = path.split(delimiter).filter(Boolean);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(process.platform === "darwin" ? macPaths : []),
  ];
  return candidates.find(isProgram);
}

/** @param {string} file */
export function isProgram(file) {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebian() {
  return existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}
