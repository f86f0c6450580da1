import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail } from "./toolchain.mjs";

const names = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser"];

/** Path of a Chromium: CHROME_PATH, one on the PATH, else Debian's package is installed when we may. */
export function findChromium() {
  const named = process.env.CHROME_PATH;
  if (named) return existsSync(named) ? named : fail(`CHROME_PATH names ${named}, which does not exist.`);
  const found = onPath();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("Installing Debian's Chromium …");
    const apt = (...args) =>
      spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    apt("update", "-q");
    apt("install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-dejavu-core", "fonts-liberation");
  }
  return onPath() ?? fail("The tests need a Chromium: install chromium or google-chrome, or set CHROME_PATH to one.");
}

function onPath() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return undefined;
}
