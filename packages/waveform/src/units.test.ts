import { expect, test } from "vitest";
import { canonicalUnit } from "./units.ts";

test.each<[string, ...string[]]>([
  [
    "A",
    "A",
    "a",
    "amp",
    "Amps",
    "AMPERE",
    "ampere",
    "Amperes",
    "A rms",
    "Arms",
    "A_RMS",
    "A (pk)",
    "[A]",
    "Amps pri",
    "A sec.",
    "A r.m.s.",
  ],
  ["kA", "kA", "KA", "ka", "kAmps", "kiloampere", "k A", "kA peak", "kA prim", "kA rms (pri)"],
  ["mA", "mA", "milliamps", "MA"],
  ["V", "V", "volt", "Volts", "VOLT", "V rms", "Vrms", "V L-N", "V-LL", "(V)", "V ac"],
  ["kV", "kV", "KV", "kv", "kilovolts", "kVolt", "kV-rms", "kV ph-ph", "kV(pri)"],
  ["mV", "mV", "millivolt"],
  ["MV", "MV", "megavolts"],
  ["Hz", "Hz", "HZ", "hertz"],
  ["mHz", "mHz"],
  ["°", "°", "deg", "Degrees", "DEG.", "el.deg"],
  ["MW", "MW", "mw", "megawatts"],
  ["kVA", "kVA", "KVA"],
  ["Mvar", "MVAr", "Mvar", "mvars"],
  ["kvar", "kVAr", "KVARS"],
  ["%", "%", "percent"],
  ["µA", "uA", "µA"],
])("A-23 %s is what a recorder writes in many ways", (unit, ...written) => {
  expect(written.map((each) => [each, canonicalUnit(each)])).toEqual(written.map((each) => [each, unit]));
});

test.each(["", "p.u.", "pu", "rms", "bar", "kilo", "V/Hz", "-", "k", "°C", "ampersand", "A".repeat(10_000)])(
  "A-23 %s stays as it is",
  (written) => {
    expect(canonicalUnit(written)).toBe(written);
  },
);
