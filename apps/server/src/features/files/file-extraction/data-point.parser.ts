import { counted } from "@busbar/contract/values/counted.ts";
import { createHash } from "node:crypto";
import { dataPointKeys, dataPointTextKeys, requiredDataPointKeys } from "@busbar/contract/files/data-point-keys.ts";
import { cleanText } from "#lib/clean-text.ts";
import { fail } from "./fail.ts";
import { checkIdentity, checkVersion, readNumber, type FileIdentity } from "./file-identity.ts";

/** Keys and values of a data point without the four that name the file. */
export type SensorValues = Record<string, number | string | null>;

const identityKeys: ReadonlySet<string> = new Set(["serialNumber", "timestamp", "kind"]);
const rowCount = dataPointKeys.length + 4;
const keyPattern = /^[A-Za-z]\w{0,63}$/;

/**
 * Reads a D file: `#VDF=2`, key=value lines, closed by `#MD5=` of all bytes above.
 * @throws UnreadableFile with the reason
 */
export function parseDataPoint(text: string, file: FileIdentity): SensorValues {
  checkVersion(/^#VDF=([^\n]*)\n/.exec(text)?.[1]);
  const end = /(?<=\n)#MD5=([0-9a-fA-F]*)\n?$/.exec(text);
  const body = text.slice(0, end?.index ?? text.length);
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (end === null) fail(`Truncated: ${Math.min(lines.length, rowCount - 1)} of ${counted(rowCount, "row")}`);
  if (createHash("md5").update(body).digest("hex") !== end?.[1]?.toLowerCase()) fail("Checksum mismatch");

  const texts = new Map<string, string>();
  for (const line of lines) {
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/.exec(line) ?? fail(`Not a number: ${cleanText(line, 60)}`);
    if (!keyPattern.test(key)) fail(`Not a number: ${cleanText(line, 60)}`);
    if (texts.has(key)) fail(`Duplicate key ${key}`);
    texts.set(key, value);
  }
  checkIdentity({ serial: texts.get("serialNumber"), timestamp: texts.get("timestamp"), interval: texts.get("interval") }, file);
  for (const key of requiredDataPointKeys) if (!texts.has(key)) fail(`Missing key ${key}`);
  return Object.fromEntries(
    [...texts]
      .filter(([key]) => !identityKeys.has(key))
      .map(([key, value]) => [key, dataPointTextKeys.has(key) ? wordsOf(value) : readNumber(key, value)]),
  );
}

function wordsOf(value: string): string | null {
  return cleanText(value, 64) || null;
}
