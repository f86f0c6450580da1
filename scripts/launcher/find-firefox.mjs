import { delimiter, join } from "node:path";
import { isProgram } from "./find-chromium.mjs";

const names = ["firefox", "firefox-esr"];
const macPath = "/Applications/Firefox.app/Contents/MacOS/firefox";

/**
 * Path of a Firefox: `FIREFOX_PATH`, or one on the machine; undefined where there is none, which is no fault.
 * @param {Record<string, string | undefined>} environment
 * @returns {string | undefined}
 */
export function findFirefox({ FIREFOX_PATH, PATH = "" }) {
  if (FIREFOX_PATH) {
    if (!isProgram(FIREFOX_PATH)) throw new Error(`FIREFOX_PATH ${FIREFOX_PATH} is no program.`);
    return FIREFOX_PATH;
  }
  const folders = PATH.split(delimiter).filter(Boolean);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(process.platform === "darwin" ? [macPath] : []),
  ];
  return candidates.find(isProgram);
}
