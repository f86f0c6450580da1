export const sparkplugNamespace = "spBv1.0";

export const nodeMessageKinds = ["NBIRTH", "NDATA", "NDEATH", "NCMD"] as const;
export type NodeMessageKind = (typeof nodeMessageKinds)[number];
export const deviceMessageKinds = ["DBIRTH", "DDATA", "DDEATH", "DCMD"] as const;
export type DeviceMessageKind = (typeof deviceMessageKinds)[number];
export type MessageKind = NodeMessageKind | DeviceMessageKind;

export interface EdgeTopic {
  kind: MessageKind;
  group: string;
  edge: string;
  /** Present for the device kinds, absent for the node kinds. */
  device: string | undefined;
}
export interface StateTopic {
  kind: "STATE";
  hostId: string;
}
export type SparkplugTopic = EdgeTopic | StateTopic;

const nodeKinds: ReadonlySet<string> = new Set(nodeMessageKinds);
const deviceKinds: ReadonlySet<string> = new Set(deviceMessageKinds);

/** @returns undefined for a topic that Sparkplug B does not define; identifiers are as they came, never checked for their characters */
export function parseTopic(topic: string): SparkplugTopic | undefined {
  const parts = topic.split("/", 6);
  const [namespace, second, kind, edge, device] = parts;
  if (namespace !== sparkplugNamespace || parts.includes("")) return undefined;
  if (second === "STATE") return parts.length === 3 ? { kind: "STATE", hostId: kind! } : undefined;
  if (parts.length === 4 && nodeKinds.has(kind!)) {
    return { kind: kind as NodeMessageKind, group: second!, edge: edge!, device: undefined };
  }
  if (parts.length === 5 && deviceKinds.has(kind!)) return { kind: kind as DeviceMessageKind, group: second!, edge: edge!, device };
  return undefined;
}

/** Topic of a node's message; with `#` or `+` as an identifier, a filter. */
export function nodeTopic(kind: NodeMessageKind, group: string, edge: string): string {
  return `${sparkplugNamespace}/${group}/${kind}/${edge}`;
}

export function deviceTopic(kind: DeviceMessageKind, group: string, edge: string, device: string): string {
  return `${sparkplugNamespace}/${group}/${kind}/${edge}/${device}`;
}

export function stateTopic(hostId: string): string {
  return `${sparkplugNamespace}/STATE/${hostId}`;
}

/** The group of a serial number: `n00` to `n63`. It never reveals the customer, and it is the unit of sharding. */
export function groupOf(serial: number | string): string {
  return `n${String(Number(serial) % 64).padStart(2, "0")}`;
}
