import { expect, test } from "vitest";
import { dataFileName, DataFileNameText, parseDataFileName } from "./data-file-name.ts";

test.each(["cfg", "CFG", "Cfg", "DAT", "CFF", "HDR", "INF", "CEV", "EVE", "TXT", "ZIP"])("A-23 a name may end in .%s", (extension) => {
  const name = `10701_20260106T143000Z_E0001.${extension}`;
  expect(parseDataFileName(name)?.extension).toBe(extension.toLowerCase());
  expect(DataFileNameText.parse(name)).toBe(name.toLowerCase().replace("t143000z_e", "T143000Z_E"));
});

test.each([
  ["S0900.txt", { kind: "S", interval: 900, extension: "txt" }],
  ["H3600.TXT", { kind: "H", interval: 3_600, extension: "txt" }],
] as const)("the parts of a name that ends with %s are known, and make it", (end, parts) => {
  const known = { serial: 10_234, timestamp: Date.UTC(2026, 0, 6, 14, 30, 5) / 1000, ...parts };
  expect(parseDataFileName(`10234_20260106T143005Z_${end}`)).toEqual(known);
  expect(dataFileName(known)).toBe(`10234_20260106T143005Z_${end.replace("TXT", "txt")}`);
});

test.each([
  "10701_20260106t143000z_E0001.cfg",
  "10701_20260106T143000Z_e0001.cfg",
  "10701_20260106T143000Z_E0001.exe",
  "10701_20260106T143000Z_E0001.cfg ",
  "10701_20260106T143000Z_E0001.cfgx",
  "10701_20260106T143000Z_E0001.CFG/../x",
])("%s is no name", (name) => {
  expect(parseDataFileName(name)).toBeUndefined();
});
