import { nodeConfigKeys, type NodeConfigKey } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { motorRating } from "#node-model/motor-table.ts";
import type { SimNode } from "#node-model/sim-node.ts";
import { canonicalConfigValue } from "@busbar/contract/telemetry/node-config.ts";

/** Canonical text of every configuration value of one node. */
export type NodeConfig = Map<NodeConfigKey, string>;

export type ConfigResult = "OK" | "CONFLICT" | "INVALID" | "UNCHANGED";

export function isConfigKey(key: string): key is NodeConfigKey {
  return (nodeConfigKeys as readonly string[]).includes(key);
}

/** The configuration that a node leaves the workshop with. */
export function initialConfig(node: SimNode): NodeConfig {
  const isDirect = node.npFrequency === 0 || node.role === "field";
  const poles = isDirect ? 0 : node.poles;
  const values: Record<NodeConfigKey, string | number> = {
    Motor: "",
    eq_type: isDirect ? "dc" : "ac",
    eq_type_sub: "none",
    starter: node.starter,
    wc: node.loadProfile === "workCycle" ? 1 : 0,
    node_name: node.serial,
    np_voltage: node.npVoltage,
    np_current: round(node.npCurrent),
    np_hp: node.hp,
    np_sf: 1.15,
    np_running_speed: runningSpeed(node, poles),
    np_frequency: node.npFrequency,
    np_poles: poles,
    np_rotor_bars: 0,
    np_stator_slots: 0,
    v_noise: 5,
    i_noise: round(0.01 * node.npCurrent),
    pq_ch_active: isDirect ? "v1i1" : "v123i123",
    pq_delta_v: 10,
    pq_delta_vf: 10,
    pq_delta_i: 50,
    pq_delta_if: 50,
    events_active: 1,
    events_throttle: 60,
    start_seconds: 10,
    tr_ch_Active: isDirect ? "v1i1" : "v123i123",
    tr_v_max: round(Math.min(40_000, 1.5 * Math.SQRT2 * node.npVoltage)),
    tr_i_max: round(12 * node.npCurrent),
    static_allowed: "no",
    timemachine: "none",
  };
  return new Map(nodeConfigKeys.map((key) => [key, canonicalConfigValue(key, String(values[key])) ?? String(values[key])]));
}

function runningSpeed(node: SimNode, poles: number): number {
  if (poles === 0) return 1750;
  const synchronous = (120 * node.npFrequency) / poles;
  if (node.equipmentType === "SynchronousMotor") return synchronous;
  return Math.round(synchronous * (1 - motorRating(Math.max(5, node.hp), node.npVoltage).fullLoadSlip));
}

/**
 * Compare-and-set: writes only while the current value is the one that the writer saw. A write that does not say what it
 * saw is refused: this is real equipment.
 */
export function writeConfig(config: NodeConfig, key: NodeConfigKey, value: string, previous: string | undefined): ConfigResult {
  const current = config.get(key)!;
  const next = canonicalConfigValue(key, value);
  if (next === undefined || previous === undefined) return "INVALID";
  if ((canonicalConfigValue(key, previous) ?? previous.trim()) !== current) return "CONFLICT";
  if (next === current) return "UNCHANGED";
  config.set(key, next);
  return "OK";
}

const round = (value: number) => Math.round(value * 100) / 100;
