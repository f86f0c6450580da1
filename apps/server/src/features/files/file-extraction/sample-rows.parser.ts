import { counted } from "@busbar/contract/values/counted.ts";
import { fail } from "./fail.ts";
import { checkIdentity, checkVersion, readNumber, type FileIdentity } from "./file-identity.ts";

const oneSecondColumns = "t,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag";
const harmonicColumns = "t,ch,h,mag,angleDeg";
const channels: ReadonlySet<string> = new Set(["V1", "V2", "V3", "I1", "I2", "I3"]);
const highestOrder = 50;

/**
 * Checks an S file: exactly one row per second, in their order; a missing second is a row of empty cells.
 * @throws UnreadableFile with the reason
 */
export function checkOneSecondFile(text: string, file: FileIdentity): void {
  const rows = readRows(text, file, oneSecondColumns, file.interval);
  const names = oneSecondColumns.split(",");
  rows.forEach((row, index) => {
    const cells = row.split(",");
    if (cells.length !== names.length) fail(`Truncated: ${index} of ${counted(file.interval, "row")}`);
    if (cells[0] !== String(file.timestamp + index)) fail(`Bad timestamp ${(cells[0] ?? "").slice(0, 20)}`);
    for (let column = 1; column < names.length; column++) readNumber(names[column]!, cells[column]!);
  });
}

/** Checks an H file: magnitude and angle of the orders 1 to 50 of up to six channels. @throws UnreadableFile */
export function checkHarmonicsFile(text: string, file: FileIdentity): void {
  const rows = readRows(text, file, harmonicColumns, channels.size * highestOrder);
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    const [time = "", channel = "", order = "", magnitude, angle] = row.split(",");
    if (angle === undefined || magnitude === undefined) fail(`Truncated: ${index} of ${counted(rows.length, "row")}`);
    if (time !== String(file.timestamp)) fail(`Bad timestamp ${time.slice(0, 20)}`);
    if (!channels.has(channel)) fail(`Not a number: ch=${channel.slice(0, 20)}`);
    const number = readNumber("h", order);
    if (number === null || !Number.isInteger(number) || number < 1 || number > highestOrder) fail(`Not a number: h=${order.slice(0, 20)}`);
    const key = `${channel} ${order}`;
    if (seen.has(key)) fail(`Duplicate key ${key}`);
    seen.add(key);
    readNumber("mag", magnitude!);
    readNumber("angleDeg", angle!);
  });
}

function readRows(text: string, file: FileIdentity, columns: string, expected: number): string[] {
  const lines = text.split("\n");
  const headers = new Map<string, string>();
  let place = 0;
  for (; lines[place]?.startsWith("#"); place++) {
    const [, key = "", value = ""] = /^#([^=]*)=(.*)$/.exec(lines[place]!) ?? [];
    if (headers.has(key)) fail(`Duplicate key ${key}`);
    headers.set(key, value);
  }
  checkVersion(headers.get("VDF"));
  // The text ends with a line end; what is after the last one is a row that was cut.
  const rows = lines.slice(place + 1, -1);
  if (lines[place] !== columns || rows.length < expected)
    fail(`Truncated: ${lines[place] === columns ? rows.length : 0} of ${counted(expected, "row")}`);
  if (rows.length > expected || lines.at(-1) !== "") fail(`Duplicate key ${(rows[expected] ?? "").split(",")[0]?.slice(0, 20)}`);
  checkIdentity({ serial: headers.get("serialNumber"), timestamp: headers.get("timestamp"), interval: headers.get("interval") }, file);
  return rows;
}
