import { fail } from "./fail.ts";

/** What a file must agree with. Times in epoch seconds. */
export interface FileIdentity {
  serial: number;
  timestamp: number;
  interval: number;
  /** The node's own interval; undefined where it need not agree. */
  nodeInterval: number | undefined;
  now: number;
}

export const formatVersion = "2";
const maxFutureSeconds = 60;
const earliest = Date.UTC(2010, 0, 1) / 1000;

export function checkVersion(version: string | undefined): void {
  if (version !== formatVersion) fail(`Unknown format version ${version ?? "(none)"}`);
}

/** Serial number, time and interval in the file against those of its name, its sender and its node. */
export function checkIdentity(
  declared: { serial: string | undefined; timestamp: string | undefined; interval: string | undefined },
  file: FileIdentity,
): void {
  if (declared.serial === undefined) fail("Missing key serialNumber");
  if (declared.serial !== String(file.serial)) fail(`Serial number in file (${declared.serial}) does not match sender (${file.serial})`);
  if (declared.timestamp === undefined) fail("Missing key timestamp");
  const timestamp = /^\d{1,11}$/.test(declared.timestamp ?? "") ? Number(declared.timestamp) : Number.NaN;
  if (timestamp !== file.timestamp || timestamp % file.interval !== 0) fail(`Bad timestamp ${declared.timestamp}`);
  checkTime(timestamp, timestamp + file.interval, file.now);
  if (declared.interval === undefined) fail("Missing key interval");
  const expected = file.nodeInterval ?? file.interval;
  if (declared.interval !== String(expected)) fail(`Interval ${declared.interval} does not match node interval ${expected}`);
}

/** Neither a clock that was never set nor one that is ahead. */
export function checkTime(start: number, end: number, now: number): void {
  if (start < earliest) fail(`Bad timestamp ${start}`);
  const aheadSeconds = Math.round(end - now);
  if (aheadSeconds > maxFutureSeconds) fail(`Timestamp in the future by ${aheadSeconds} s`);
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
// Beyond them the database's single precision columns end.
const largest = 1e30;
const smallest = 1e-30;

/** @returns null for an empty cell */
export function readNumber(key: string, text: string): number | null {
  if (text === "") return null;
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= largest)) fail(`Not a number: ${key}=${text.slice(0, 40)}`);
  return Math.abs(value) < smallest ? 0 : value;
}
