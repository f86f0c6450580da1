import { expect, test } from "vitest";
import { checkIdentity, checkTime, checkVersion, readNumber } from "./file-identity.ts";

const at = 1_790_000_100;
const own = { serial: 10_001, timestamp: at, interval: 900, nodeInterval: 900, now: at + 900 };
const declared = { serial: "10001", timestamp: String(at), interval: "900" };

/** Why it is refused; undefined where it is not. */
function reasonOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test.each<[object, object, string | undefined]>([
  [{}, {}, undefined],
  [{ serial: undefined }, {}, "Missing key serialNumber"],
  [{ serial: "10002" }, {}, "Serial number in file (10002) does not match sender (10001)"],
  [{ timestamp: undefined }, {}, "Missing key timestamp"],
  [{ timestamp: String(at + 900) }, {}, `Bad timestamp ${at + 900}`],
  [{ timestamp: `${at}.0` }, {}, `Bad timestamp ${at}.0`],
  // An interval begins on its multiple, also where the name says the same.
  [{ timestamp: String(at + 60) }, { timestamp: at + 60 }, `Bad timestamp ${at + 60}`],
  [{}, { now: at + 839.4 }, "Timestamp in the future by 61 s"],
  [{}, { now: at + 839.6 }, undefined],
  [{ interval: undefined }, {}, "Missing key interval"],
  [{ interval: "600" }, {}, "Interval 600 does not match node interval 900"],
  [{ interval: "600" }, { nodeInterval: 600 }, undefined],
  [{}, { nodeInterval: undefined }, undefined],
])("A-63 a file that says %j, of what is %j otherwise: %s", (said, change, reason) => {
  expect(reasonOf(() => checkIdentity({ ...declared, ...said }, { ...own, ...change }))).toBe(reason);
});

test("A-63 a clock that was never set, one that is ahead, and another format are refused", () => {
  const first = Date.UTC(2010, 0, 1) / 1_000;
  expect(() => checkTime(first, first, first)).not.toThrow();
  expect(() => checkTime(first - 1, first, first)).toThrow(`Bad timestamp ${first - 1}`);
  expect(() => checkTime(at, at + 60, at)).not.toThrow();
  expect(() => checkTime(at, at + 61, at)).toThrow("Timestamp in the future by 61 s");
  expect(() => checkVersion("2")).not.toThrow();
  expect(() => checkVersion(undefined)).toThrow("Unknown format version (none)");
});

test.each<[string, number | null | undefined]>([
  ["", null],
  ["-1.5", -1.5],
  ["1e30", 1e30],
  ["1e-30", 1e-30],
  ["1e-31", 0],
  ["-2E+3", -2_000],
  ["1.1e30", undefined],
  ["1e1000", undefined],
  ["0x10", undefined],
  ["1,5", undefined],
  [".5", undefined],
  [" 1", undefined],
])("A-63 the cell %j is the number %s", (text, value) => {
  let read: number | null | undefined;
  const reason = reasonOf(() => (read = readNumber("kwh", text)));
  expect([read, reason]).toEqual([value, value === undefined ? `Not a number: kwh=${text}` : undefined]);
});
