import { settingAreas, systemConfigEntries, type SystemConfigEntry } from "@busbar/contract/system/system-config.ts";
import { expect, test } from "vitest";
import { factsOf, saidText, shownText, wireText } from "./setting-text.ts";

const names = Object.keys(systemConfigEntries);

test("A-31 every setting has a name in words, an area, and a default that comes back as it was from what people see", () => {
  const entries: Record<string, SystemConfigEntry> = systemConfigEntries;
  const titles = names.map((name) => factsOf(name).title);
  expect(new Set(titles).size).toBe(names.length);
  for (const name of names) {
    const { title, area, unit, defaultText = "" } = factsOf(name);
    expect([name, title]).toEqual([name, expect.stringMatching(/^[A-Z][^_]{3,}$/)]);
    expect(settingAreas).toContain(area);
    expect([name, wireText(unit, shownText(unit, defaultText))]).toEqual([name, defaultText]);
    expect(entries[name]?.description).not.toMatch(/\bcents\b/i);
  }
});

test("A-31 what counts something by its name has its unit beside the field", () => {
  const counting = names.filter(
    (name) => /Cents|Percent|Days|PerHour|Recipients$|Efficiency/.test(name) && name !== "System_debugRecipients",
  );
  expect(counting.length).toBeGreaterThan(10);
  expect(counting.filter((name) => factsOf(name).unit === undefined)).toEqual([]);
  const inCents = names.filter((name) => name.includes("Cents"));
  expect(inCents.map((name) => factsOf(name).unit)).toEqual(inCents.map(() => "cents"));
});

test.each([
  ["180000", "1,800.00", "$1,800.00"],
  ["5", "0.05", "$0.05"],
  ["100000000", "1,000,000.00", "$1,000,000.00"],
])("A-31 %s cents are shown as %s", (cents, shown, said) => {
  expect([shownText("cents", cents), wireText("cents", shown), saidText("cents", cents)]).toEqual([shown, cents, said]);
});

test.each([
  ["1800", "180000"],
  ["$ 1,800.5", "180050"],
  ["0.07", "7"],
  ["1.005", "$ 1.005"],
  ["1,80", "$ 1,80"],
  ["1e3", "$ 1e3"],
  ["-5", "$ -5"],
  ["many", "$ many"],
  ["", ""],
])("A-31 dollars that are typed as %j are sent as %j", (typed, sent) => {
  expect(wireText("cents", typed)).toBe(sent);
});

test.each([
  ["cents", "180000", "$1,800.00"],
  ["share", "0.93", "93 %"],
  ["percent", "40", "40 %"],
  ["days", "730", "730 days"],
  ["addresses", "[]", "none"],
  ["addresses", '["a@x.example","b@x.example"]', "a@x.example, b@x.example"],
  [undefined, "Busbar", "Busbar"],
] as const)("a setting in %s, %j, is said as %j", (unit, text, said) => {
  expect(saidText(unit, text)).toBe(said);
});

test("A-31 a share is percent, addresses are one a line, and nothing is lost in a list that is none", () => {
  expect([shownText("share", "0.93"), wireText("share", "92.5"), saidText("share", "0.93")]).toEqual(["93", "0.925", "93 %"]);
  expect(shownText("addresses", '["a@b.example","c@d.example"]')).toBe("a@b.example\nc@d.example");
  expect(wireText("addresses", "a@b.example, c@d.example\n")).toBe('["a@b.example","c@d.example"]');
  expect([wireText("addresses", ""), shownText("addresses", "[]"), saidText("addresses", "[]")]).toEqual(["[]", "", "none"]);
  expect(shownText("addresses", "[1")).toBe("[1");
});
