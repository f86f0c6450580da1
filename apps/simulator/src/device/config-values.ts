import type { NodeConfigKey } from "@busbar/contract/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";

/** How one configuration value looks: what it may hold and how two spellings of it compare. */
export interface ConfigRule {
  datatype: typeof DataType.String | typeof DataType.Int32 | typeof DataType.Double;
  /** The one spelling of a value; undefined when the value is not allowed. */
  canonical(text: string): string | undefined;
}

const text = (pattern: RegExp): ConfigRule => ({
  datatype: DataType.String,
  canonical: (value) => (pattern.test(value.trim()) ? value.trim() : undefined),
});

const choice = (...options: string[]): ConfigRule => ({
  datatype: DataType.String,
  canonical: (value) => options.find((option) => option.toLowerCase() === value.trim().toLowerCase()),
});

const decimal = (low: number, high: number): ConfigRule => ({
  datatype: DataType.Double,
  canonical: (value) => canonicalNumber(value, (n) => n >= low && n <= high),
});

const integer = (isAllowed: (n: number) => boolean): ConfigRule => ({
  datatype: DataType.Int32,
  canonical: (value) => canonicalNumber(value, (n) => Number.isInteger(n) && isAllowed(n)),
});

const within = (low: number, high: number) => integer((n) => n >= low && n <= high);

/** 1 or 0, also spelled yes and no. */
const bit: ConfigRule = {
  datatype: DataType.Int32,
  canonical: (value) => {
    const word = value.trim().toLowerCase();
    if (word === "1" || word === "yes") return "1";
    return word === "0" || word === "no" ? "0" : undefined;
  },
};

const yesNo: ConfigRule = {
  datatype: DataType.String,
  canonical: (value) => (bit.canonical(value) === undefined ? undefined : bit.canonical(value) === "1" ? "yes" : "no"),
};

const macAddress: ConfigRule = {
  datatype: DataType.String,
  canonical: (value) => {
    const word = value.trim();
    if (word.toLowerCase() === "none") return "none";
    return /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(word.toUpperCase()) ? word.toUpperCase() : undefined;
  },
};

function canonicalNumber(value: string, isAllowed: (n: number) => boolean): string | undefined {
  const word = value.trim();
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(word)) return undefined;
  const n = Number(word);
  return isAllowed(n) ? String(n) : undefined;
}

const channelList = /^(?:0|(?=.)(?:v(?=[123])1?2?3?)?(?:i(?=[123])1?2?3?)?)$/;
const starters = [
  "",
  "DC Armature",
  "DC Field",
  "FVNR + DC Brake",
  "FVNR",
  "FVR + DC Brake",
  "FVR",
  "Reduced Voltage Starter",
  "Rotor Field",
  "Soft Start + DC Brake",
  "Soft Starter",
  "Synchronous",
  "VFD",
];

/** What a node accepts for each key. */
export const configRules: Record<NodeConfigKey, ConfigRule> = {
  Motor: text(/^.{0,32}$/),
  eq_type: choice("ac", "dc"),
  eq_type_sub: choice("none", "v1", "v2"),
  starter: choice(...starters),
  wc: bit,
  node_name: text(/^[A-Za-z0-9 _.-]{1,32}$/),
  np_voltage: decimal(50, 15_000),
  np_current: decimal(0.5, 5000),
  np_hp: decimal(0, 20_000),
  np_sf: decimal(1, 2),
  np_running_speed: decimal(1, 20_000),
  np_frequency: integer((n) => n === 0 || n === 50 || n === 60),
  np_poles: integer((n) => n === 0 || (n >= 2 && n <= 48 && n % 2 === 0)),
  np_rotor_bars: within(0, 500),
  np_stator_slots: within(0, 500),
  v_noise: decimal(0, 200),
  i_noise: decimal(0, 500),
  pq_ch_active: text(channelList),
  pq_delta_v: decimal(0, 100),
  pq_delta_vf: decimal(0, 100),
  pq_delta_i: decimal(0, 1000),
  pq_delta_if: decimal(0, 1000),
  events_active: bit,
  events_throttle: within(0, 86_400),
  start_seconds: within(1, 120),
  tr_ch_Active: text(channelList),
  tr_v_max: decimal(0, 40_000),
  tr_i_max: decimal(0, 100_000),
  static_allowed: yesNo,
  timemachine: macAddress,
};
