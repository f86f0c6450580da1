import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { readBdSeq } from "@busbar/sparkplug/metric-table.ts";
import { hostStateTopic } from "#mqtt/host-state.ts";
import { decodeNodePayload } from "#lib/decode-node-payload.ts";
import type { FindingList } from "./finding-list.ts";
import type { WatchedConnect, WatchedEvent } from "#features/telemetry/node-watch/watched-event.ts";

/** What the broker refuses, by the reason that it logs. */
const refusals: Record<string, string> = {
  identifier: "CONNECT was refused: client id and user name are both the serial number.",
  credentials: "CONNECT was refused: the password is not the node's secret.",
  "will retained": "CONNECT was refused: the last will is retained.",
  "will qos-2": "CONNECT was refused: the last will has QoS 2.",
  "will topic": "CONNECT was refused: the topic of the last will is not the node's own NDEATH.",
  "will other-node": "CONNECT was refused: the last will is another node's, or in another group.",
  "connect-rate": "CONNECT was refused: the node connects more than once a second.",
  "publish retained": "A publication was refused: nothing of a node is retained.",
  "publish qos-2": "A publication was refused: QoS is 0 or 1.",
  "publish no-id": "A publication was refused: with QoS 1 its packet identifier is not 0.",
  "publish topic": "A publication was refused: nodes publish NBIRTH, NDATA, NDEATH, DBIRTH, DDATA and DDEATH.",
  "publish other-node": "A publication was refused: it is another node's, or in another group.",
  revoked: "The connection was ended: the node's secret was replaced, or the node was decommissioned.",
  subscribe: "A subscription was refused: nodes hear their own NCMD and DCMD, and STATE.",
};

export interface ConnectionRules {
  take(event: WatchedEvent): void;
  /** Of the last will; undefined when no CONNECT was seen. */
  readonly willBdSeq: number | undefined;
  readonly wasSeen: boolean;
  finish(nowMs: number): void;
}

/** CONNECT, the last will and the subscriptions, as far as a broker of ours shows them. */
export function createConnectionRules(serial: number, findings: FindingList): ConnectionRules {
  let willBdSeq: number | undefined;
  let wasSeen = false;
  let filters = new Set<string>();
  const own = nodeTopic("NCMD", groupOf(serial), String(serial));

  const takeConnect = ({ detail, payload, atMs }: WatchedEvent) => {
    const connect = JSON.parse(detail) as WatchedConnect;
    wasSeen = true;
    filters = new Set();
    willBdSeq = undefined;
    if (!connect.isCleanSession) findings.note("Connection", "CONNECT asks for a session that lasts; Sparkplug begins a clean one.", atMs);
    if (connect.will === null || payload === null) {
      return findings.wrong("Connection", "CONNECT has no last will: without an NDEATH a cut connection is noticed late.", atMs);
    }
    if (connect.will.qos !== 1) findings.wrong("Connection", `The last will has QoS ${connect.will.qos}; NDEATH has QoS 1.`, atMs);
    try {
      const will = decodeNodePayload(payload);
      willBdSeq = readBdSeq(will.metrics);
      if (will.seq !== undefined) findings.note("Connection", "The last will has a seq; NDEATH has none.", atMs);
    } catch {
      return findings.wrong("Connection", "The last will is no Sparkplug payload.", atMs);
    }
    if (willBdSeq === undefined) findings.wrong("Connection", "The last will has no bdSeq: it will be ignored.", atMs);
  };

  return {
    take(event) {
      const { kind, topic, detail, atMs } = event;
      if (kind === "connect") takeConnect(event);
      else if (kind === "subscribe") filters.add(topic);
      else if (kind === "refused") {
        const about = topic === "" ? "" : ` It was about ${topic}.`;
        findings.wrong("Connection", `${refusals[detail] ?? `The broker refused the node: ${detail}.`}${about}`, atMs);
      }
    },
    get willBdSeq() {
      return willBdSeq;
    },
    get wasSeen() {
      return wasSeen;
    },
    finish(nowMs) {
      if (!wasSeen) return;
      if (!filters.has(own) && !filters.has(`${own}/#`)) {
        findings.wrong("Connection", `The node does not subscribe to ${own}: no command reaches it.`, nowMs);
      }
      const hearsHost = [hostStateTopic, "spBv1.0/STATE/+", "spBv1.0/STATE/#"].some((filter) => filters.has(filter));
      if (!hearsHost) {
        findings.note("Connection", `The node does not subscribe to ${hostStateTopic}: it cannot know when to keep its data.`, nowMs);
      }
    },
  };
}
