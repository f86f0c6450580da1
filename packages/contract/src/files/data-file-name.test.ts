import { expect, test } from "vitest";
import { DataFileNameText, parseDataFileName } from "./data-file-name.ts";

test.each(["cfg", "CFG", "Cfg", "DAT", "CFF", "HDR", "INF", "CEV", "EVE", "TXT", "ZIP"])("A-23 a name may end in .%s", (extension) => {
  const name = `10701_20260106T143000Z_E0001.${extension}`;
  expect(parseDataFileName(name)?.extension).toBe(extension.toLowerCase());
  expect(DataFileNameText.parse(name)).toBe(name.toLowerCase().replace("t143000z_e", "T143000Z_E"));
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
