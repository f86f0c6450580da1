import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import type { SessionKind } from "@busbar/sparkplug/session-types.ts";
import { groupOf, parseTopic } from "@busbar/sparkplug/topic.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";

/** A topic as ingest sees it. */
export type NodeTopic =
  | { kind: SessionKind; serial: number; device: string | undefined }
  /** What the host itself publishes and hears again. */
  | { kind: "own" }
  | { kind: "refused"; reason: "not-sparkplug" | "unknown-node" | "wrong-group" | "bad-device-id" };

const maxKnownTopics = 100_000;
const deviceIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads topics; a node sends the same few for ever, so they are read once. */
export function createNodeTopicReader(): (topic: string) => NodeTopic {
  const known = createBoundedMap<string, NodeTopic>(maxKnownTopics);
  return (topic) => {
    let read = known.get(topic);
    if (read === undefined) {
      read = readNodeTopic(topic);
      // Refused topics are untrusted text: never kept.
      if (read.kind !== "refused") known.set(topic, read);
    }
    return read;
  };
}

function readNodeTopic(topic: string): NodeTopic {
  const parsed = parseTopic(topic);
  if (parsed === undefined) return { kind: "refused", reason: "not-sparkplug" };
  if (parsed.kind === "STATE" || parsed.kind === "NCMD" || parsed.kind === "DCMD") return { kind: "own" };
  const { kind, group, edge, device } = parsed;
  if (!serialNumberPattern.test(edge)) return { kind: "refused", reason: "unknown-node" };
  if (group !== groupOf(edge)) return { kind: "refused", reason: "wrong-group" };
  if (device !== undefined && !deviceIdPattern.test(device)) return { kind: "refused", reason: "bad-device-id" };
  return { kind, serial: Number(edge), device };
}
