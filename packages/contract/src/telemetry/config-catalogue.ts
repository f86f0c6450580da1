import { bit, channelList, choiceOf, decimal, integer, macAddress, textOf, wholeNumber, yesNo, type ConfigRule } from "./config-rules.ts";
import { starters } from "../values/option-lists.ts";
import { nodeConfigKeys, type NodeConfigKey } from "./sparkplug-namespace.ts";

export const configGroups = ["Equipment", "Name Plate", "Thresholds", "Other"] as const;
export type ConfigGroup = (typeof configGroups)[number];

/** The values that a node reported, by key. A Map, because the keys are a device's. */
export type ConfigValues = ReadonlyMap<string, string>;

export interface ConfigParameter {
  key: NodeConfigKey;
  group: ConfigGroup;
  description: string;
  rule: ConfigRule;
  /** What a node has from the workshop, given its other values; undefined when there is none. */
  defaultValue: (values: ConfigValues) => string | undefined;
}

type Described = Omit<ConfigParameter, "key" | "defaultValue"> & { defaultValue?: string | ConfigParameter["defaultValue"] };

const isPolesNumber = (n: number) => n === 0 || (n >= 2 && n <= 48 && n % 2 === 0);
/** A part of another value, to two decimals. */
const partOf = (key: NodeConfigKey, factor: number, high: number) => (values: ConfigValues) => {
  const base = Number(values.get(key) ?? "");
  return base > 0 ? String(Math.round(Math.min(high, base * factor) * 100) / 100) : undefined;
};
const peakOfVoltage = 1.5 * Math.SQRT2;

const described: Record<NodeConfigKey, Described> = {
  Motor: {
    group: "Equipment",
    description: "Equipment label kept in the node",
    rule: textOf(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]{0,32}$/u, "at most 32 characters of text"),
    defaultValue: "",
  },
  eq_type: { group: "Equipment", description: "Supply type: ac or dc", rule: choiceOf(["ac", "dc"]), defaultValue: "ac" },
  eq_type_sub: {
    group: "Equipment",
    description: "Sub-type of the supply: none, v1 or v2",
    rule: choiceOf(["none", "v1", "v2"]),
    defaultValue: "none",
  },
  starter: { group: "Equipment", description: "Starting method", rule: choiceOf(starters), defaultValue: "" },
  wc: { group: "Equipment", description: "Work-cycle node: 1 yes, 0 no", rule: bit, defaultValue: "0" },
  node_name: {
    group: "Equipment",
    description: "Name of the node; its serial number unless changed",
    rule: textOf(/^[A-Za-z0-9 _.-]{1,32}$/, "1 to 32 letters, digits, spaces, _ . -"),
  },
  np_voltage: {
    group: "Name Plate",
    description: "Voltage, V line-to-line (DC: armature)",
    rule: decimal(50, 15_000, "V"),
  },
  np_current: { group: "Name Plate", description: "Full-load current, A", rule: decimal(0.5, 5000, "A") },
  np_hp: { group: "Name Plate", description: "Horse power; 0 is not a motor", rule: decimal(0, 20_000) },
  np_sf: { group: "Name Plate", description: "Service factor", rule: decimal(1, 2), defaultValue: "1.15" },
  np_running_speed: {
    group: "Name Plate",
    description: "Running speed at full load, rpm; below the synchronous speed",
    rule: decimal(1, 20_000, "rpm"),
  },
  np_frequency: {
    group: "Name Plate",
    description: "Supply frequency, Hz; 0 for dc",
    rule: integer((n) => n === 0 || n === 50 || n === 60, "50 or 60 Hz (0 for dc)"),
    defaultValue: "60",
  },
  np_poles: {
    group: "Name Plate",
    description: "Number of poles; 0 for dc",
    rule: integer(isPolesNumber, "an even number from 2 to 48 (0 for dc)"),
    defaultValue: "4",
  },
  np_rotor_bars: { group: "Name Plate", description: "Number of rotor bars; 0 unknown", rule: wholeNumber(0, 500), defaultValue: "0" },
  np_stator_slots: { group: "Name Plate", description: "Number of stator slots; 0 unknown", rule: wholeNumber(0, 500), defaultValue: "0" },
  v_noise: { group: "Thresholds", description: "Voltage below this is zero, V", rule: decimal(0, 200, "V"), defaultValue: "5" },
  i_noise: {
    group: "Thresholds",
    description: "Current below this is not running, A",
    rule: decimal(0, 500, "A"),
    defaultValue: partOf("np_current", 0.01, 500),
  },
  pq_ch_active: {
    group: "Thresholds",
    description: "Power-quality channels; v123i123 all, 0 none",
    rule: channelList,
    defaultValue: "v123i123",
  },
  pq_delta_v: {
    group: "Thresholds",
    description: "Power-quality delta, voltage rise, % of np_voltage; 0 off",
    rule: decimal(0, 100, "%"),
    defaultValue: "10",
  },
  pq_delta_vf: {
    group: "Thresholds",
    description: "Power-quality delta, voltage fall, % of np_voltage; 0 off",
    rule: decimal(0, 100, "%"),
    defaultValue: "10",
  },
  pq_delta_i: {
    group: "Thresholds",
    description: "Power-quality delta, current rise, % of np_current; 0 off",
    rule: decimal(0, 1000, "%"),
    defaultValue: "50",
  },
  pq_delta_if: {
    group: "Thresholds",
    description: "Power-quality delta, current fall, % of np_current; 0 off",
    rule: decimal(0, 1000, "%"),
    defaultValue: "50",
  },
  events_active: { group: "Thresholds", description: "Events: 1 active, 0 not", rule: bit, defaultValue: "1" },
  events_throttle: {
    group: "Thresholds",
    description: "Shortest time between two events, s",
    rule: wholeNumber(0, 86_400, "s"),
    defaultValue: "60",
  },
  start_seconds: {
    group: "Thresholds",
    description: "Seconds of start-event capture",
    rule: wholeNumber(1, 120, "s"),
    defaultValue: "10",
  },
  tr_ch_Active: {
    group: "Thresholds",
    description: "Transient channels; v123i123 all, 0 none",
    rule: channelList,
    defaultValue: "v123i123",
  },
  tr_v_max: {
    group: "Thresholds",
    description: "Transient trigger level, V peak",
    rule: decimal(0, 40_000, "V"),
    defaultValue: partOf("np_voltage", peakOfVoltage, 40_000),
  },
  tr_i_max: {
    group: "Thresholds",
    description: "Transient trigger level, A peak; above the inrush",
    rule: decimal(0, 100_000, "A"),
    defaultValue: partOf("np_current", 12, 100_000),
  },
  static_allowed: { group: "Other", description: "Static IP address allowed: yes or no", rule: yesNo, defaultValue: "no" },
  timemachine: { group: "Other", description: "GPS time server's MAC address, or none", rule: macAddress, defaultValue: "none" },
};

const noDefault = () => undefined;

/** Every parameter that may be read and written, in the order of the texts (CFG-02). */
export const configCatalogue: readonly ConfigParameter[] = nodeConfigKeys.map((key) => {
  const { defaultValue = noDefault, ...rest } = described[key];
  return { key, ...rest, defaultValue: typeof defaultValue === "string" ? () => defaultValue : defaultValue };
});

const byKey: ReadonlyMap<string, ConfigParameter> = new Map(configCatalogue.map((parameter) => [parameter.key, parameter]));

export const findConfigParameter = (key: string): ConfigParameter | undefined => byKey.get(key);
