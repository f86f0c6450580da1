import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { configCatalogue, configGroups, findConfigParameter } from "./config-catalogue.ts";
import { canonicalConfigValue, configProblem, isSameConfigValue, setNodeConfigValue, toPathPart } from "./node-config.ts";
import { nodeConfigKeys } from "./sparkplug-namespace.ts";

const none = new Map<string, string>();
const keysOf = (group: string) => configCatalogue.filter((one) => one.group === group).map(({ key }) => key);

describe("CFG-02 the catalogue", () => {
  test("has the groups and keys of the texts, in their order", () => {
    expect(configGroups).toEqual(["Equipment", "Name Plate", "Thresholds", "Other"]);
    expect(configGroups.map(keysOf)).toEqual([
      "Motor eq_type eq_type_sub starter wc node_name".split(" "),
      "np_voltage np_current np_hp np_sf np_running_speed np_frequency np_poles np_rotor_bars np_stator_slots".split(" "),
      "v_noise i_noise pq_ch_active pq_delta_v pq_delta_vf pq_delta_i pq_delta_if events_active events_throttle start_seconds tr_ch_Active tr_v_max tr_i_max".split(
        " ",
      ),
      ["static_allowed", "timemachine"],
    ]);
    expect(configCatalogue.map(({ key }) => key)).toEqual([...nodeConfigKeys]);
  });

  test("allows its own defaults, those that follow other values too", () => {
    const values = new Map([
      ["np_voltage", "460"],
      ["np_current", "57.6"],
    ]);
    const problems = configCatalogue.map(({ key, defaultValue }) =>
      configProblem(key, defaultValue(values) ?? values.get(key) ?? "1", values),
    );
    expect(problems.filter(Boolean)).toEqual([]);
    const defaultOf = (key: string, reported = values) => findConfigParameter(key)?.defaultValue(reported);
    expect([defaultOf("i_noise"), defaultOf("tr_v_max"), defaultOf("tr_i_max")]).toEqual(["0.58", "975.81", "691.2"]);
    expect(defaultOf("i_noise", new Map())).toBeUndefined();
  });
});

// key, allowed on the boundaries, refused just outside
const boundaries: [string, string[], string[]][] = [
  ["Motor", ["", "é".repeat(32), "a b"], ["x".repeat(33), "a\u0000b", "a\u202Eb", "\uD800"]],
  ["eq_type", ["ac", "DC"], ["", "acdc"]],
  ["eq_type_sub", ["none", "v1", "v2"], ["", "v3"]],
  ["starter", ["", "Soft Starter", "VFD"], ["Y", "Soft"]],
  ["wc", ["0", "1", "yes"], ["2", "", "-1"]],
  ["node_name", ["a", "A1 _.-", "x".repeat(32)], ["", "x".repeat(33), "a/b", "ä", "a%b"]],
  ["np_voltage", ["50", "15000", "460.5"], ["49.9", "15000.1", "", "4 6", "0x50", "NaN", "Infinity", "9".repeat(300)]],
  ["np_current", ["0.5", "5000"], ["0.4", "5001"]],
  ["np_hp", ["0", "-0", "20000"], ["-1", "20001"]],
  ["np_sf", ["1", "2.00"], ["0.99", "2.01"]],
  ["np_running_speed", ["1", "20000"], ["0", "20001"]],
  ["np_frequency", ["0", "50", "60"], ["55", "49"]],
  ["np_poles", ["0", "2", "48"], ["1", "3", "50", "-2", "4.5"]],
  ["np_rotor_bars", ["0", "500"], ["-1", "501", "1.5"]],
  ["np_stator_slots", ["0", "500"], ["-1", "501"]],
  ["v_noise", ["0", "200"], ["-0.1", "200.1"]],
  ["i_noise", ["0", "500"], ["-0.1", "500.1"]],
  ["pq_ch_active", ["v123i123", "v1", "i23", "0", "v13i2"], ["", "v", "v321", "i4", "v1i", "00", "v123 i123"]],
  ["pq_delta_v", ["0", "100"], ["-1", "101"]],
  ["pq_delta_vf", ["0", "100"], ["-1", "101"]],
  ["pq_delta_i", ["0", "1000"], ["-1", "1001"]],
  ["pq_delta_if", ["0", "1000"], ["-1", "1001"]],
  ["events_active", ["0", "1"], ["2", ""]],
  ["events_throttle", ["0", "86400"], ["-1", "86401", "0.5"]],
  ["start_seconds", ["1", "120"], ["0", "121"]],
  ["tr_ch_Active", ["v123i123", "0"], ["", "v", "i"]],
  ["tr_v_max", ["0", "40000"], ["-1", "40001"]],
  ["tr_i_max", ["0", "100000"], ["-1", "100001"]],
  ["static_allowed", ["yes", "no", "1", "0"], ["", "maybe"]],
  ["timemachine", ["none", "02:aa:BB:cc:dd:ee"], ["", "02:aa:bb:cc:dd", "02-aa-bb-cc-dd-ee", "02:aa:bb:cc:dd:eg"]],
];

describe("CFG-06 values", () => {
  test.each(boundaries)("of %s are allowed up to their limits and refused beyond", (key, allowed, refused) => {
    for (const value of allowed) expect([value, configProblem(key, value, none)]).toEqual([value, undefined]);
    for (const value of refused) expect([value, configProblem(key, value, none)]).toEqual([value, expect.stringMatching(/^must be /)]);
  });

  test("of every key are tested, and those of other keys are refused", () => {
    expect(boundaries.map(([key]) => key)).toEqual([...nodeConfigKeys]);
    for (const key of ["", "NP_VOLTAGE", "Refresh", "__proto__", "constructor"])
      expect(configProblem(key, "1", none)).toMatch(/no parameter/);
  });

  test("are compared by meaning", () => {
    expect(isSameConfigValue("np_voltage", "460", " 460.0 ")).toBe(true);
    expect(isSameConfigValue("np_voltage", "4.6e2", "460")).toBe(true);
    expect(isSameConfigValue("np_voltage", "460", "461")).toBe(false);
    expect(isSameConfigValue("static_allowed", "1", "YES")).toBe(true);
    expect(isSameConfigValue("wc", "no", "0")).toBe(true);
    expect(isSameConfigValue("timemachine", "02:aa:bb:cc:dd:ee", "02:AA:BB:CC:DD:EE")).toBe(true);
    expect(isSameConfigValue("np_voltage", "", "")).toBe(true);
    expect(isSameConfigValue("node_name", "a", "A")).toBe(false);
    expect(canonicalConfigValue("np_hp", "-0")).toBe("0");
    expect(canonicalConfigValue("nothing", "1")).toBeUndefined();
  });

  const motor = new Map([
    ["eq_type", "ac"],
    ["np_frequency", "60"],
    ["np_poles", "4"],
  ]);
  test("follow the supply: frequency and poles are 0 for dc only", () => {
    for (const key of ["np_frequency", "np_poles"]) {
      expect(configProblem(key, "0", motor)).toBe("is 0 for dc only");
      expect(configProblem(key, "0", new Map([["eq_type", "dc"]]))).toBeUndefined();
    }
  });

  test("a running speed stays below the synchronous one; a synchronous motor has it", () => {
    expect(configProblem("np_running_speed", "1799.9", motor)).toBeUndefined();
    expect(configProblem("np_running_speed", "1800", motor)).toMatch(/below the synchronous speed of 1800 rpm/);
    const synchronous = new Map([...motor, ["starter", "Synchronous"]]);
    expect(configProblem("np_running_speed", "1800", synchronous)).toBeUndefined();
    expect(configProblem("np_running_speed", "1801", synchronous)).toMatch(/synchronous speed/);
    expect(configProblem("np_running_speed", "3000", new Map([...motor, ["np_poles", "0"]]))).toBeUndefined();
  });
});

test("CFG-04 any text comes through the path as it went in, `~` for an empty one, and no part can move the others", () => {
  const texts = [
    "",
    "~",
    "~~",
    ".",
    "..",
    "~.",
    "~..",
    "...",
    "~a",
    "a/b",
    "100%",
    "%2F",
    "ä 漢 🙂",
    "x".repeat(300),
    "?#&+",
    "previous/2fa",
  ];
  for (const text of texts) {
    const part = encodeURIComponent(toPathPart(text));
    expect(new URL(`http://host/config/key/${part}/2fa/1`).pathname).toBe(`/config/key/${part}/2fa/1`);
    const params = { serial: "10234", key: "Motor", newValue: decodeURIComponent(part), code: "1", oldValue: "x" };
    expect(z.parse(setNodeConfigValue.params!, params).newValue).toBe(text);
  }
  expect(toPathPart("")).toBe("~");
});
