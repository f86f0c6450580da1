import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { groupOf, parseTopic } from "@busbar/sparkplug/topic.ts";

/** Identifiers of clients and devices: nothing that is a wildcard, a separator or text of someone else's format. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

export interface Publication {
  topic: string;
  qos: number;
  retain: boolean;
  /** A will has none. */
  messageId?: number | undefined;
}

/** Why a node may not publish this; undefined when it may: births, data and deaths of itself and of its devices. */
export function refusePublish(serial: string, publication: Publication): string | undefined {
  return refuseManner(publication) ?? refuseTopic(serial, publication.topic);
}

function refuseManner({ qos, retain, messageId }: Publication): string | undefined {
  if (retain) return "retained";
  // MQTT-2.3.1-1
  if (qos === 1 && messageId === 0) return "no-id";
  return qos > 1 ? "qos-2" : undefined;
}

function refuseTopic(serial: string, topic: string): string | undefined {
  const parsed = parseTopic(topic);
  if (parsed === undefined || parsed.kind === "STATE" || parsed.kind === "NCMD" || parsed.kind === "DCMD") return "topic";
  if (parsed.edge !== serial || parsed.group !== groupOf(serial)) return "other-node";
  return parsed.device === undefined || idPattern.test(parsed.device) ? undefined : "topic";
}

/** As `refusePublish`, for one who publishes to the same few topics again and again. */
export function createPublishCheck(serial: string): (publication: Publication) => string | undefined {
  let allowed: string | undefined;
  return (publication) => {
    // Only its topic is known from before: what can differ is judged each time.
    const refusal = publication.topic === allowed ? refuseManner(publication) : refusePublish(serial, publication);
    if (refusal === undefined) allowed = publication.topic;
    return refusal;
  };
}

/** The will is a publication that the broker makes: a node may announce its own death and nothing else. */
export function refuseWill(serial: string, will: Publication): string | undefined {
  const refusal = refusePublish(serial, will);
  if (refusal !== undefined) return refusal;
  return parseTopic(will.topic)?.kind === "NDEATH" ? undefined : "topic";
}

/** A node hears commands to itself and its devices, and whether the host is there. */
export function maySubscribe(serial: string, filter: string): boolean {
  const own = (kind: string) => `spBv1.0/${groupOf(serial)}/${kind}/${serial}`;
  const state = "spBv1.0/STATE/";
  return (
    filter === own("NCMD") ||
    filter === `${own("NCMD")}/#` ||
    filter.startsWith(`${own("DCMD")}/`) ||
    filter === `${state}${sparkplugHostId}` ||
    filter === `${state}+` ||
    filter === `${state}#`
  );
}
