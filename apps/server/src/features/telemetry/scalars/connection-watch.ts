import { groupOf } from "@busbar/sparkplug/topic.ts";
import type { ConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { LiveState } from "./live-state.ts";
import { contactAt, type NodeContact, type NodeSession, type NodeSessions } from "./node-sessions.ts";

export interface ConnectionWatchOptions {
  sessions: Pick<NodeSessions, "get" | "load" | "values">;
  store: Pick<ConnectivityStore, "findConnected">;
  clock: Clock;
  /** Nodes of the group can be heard now: else their silence says nothing. */
  isListening: (group: string) => boolean;
  ask: (serial: number) => void;
  lose: (node: NodeSession) => void;
  loseDevice: (node: NodeSession, device: string) => void;
}

/** Makes sure that every node and sub node that counts as connected is, whatever its broker or we have lost: only its word counts. */
export interface ConnectionWatch {
  /** A group is listened to again: its nodes that count as connected may have gone meanwhile. */
  noteGap(group: string): void;
  /** Asks those that have been silent for too long, and gives up those that do not answer. To be called about every second. */
  run(): Promise<void>;
}

/** A node that is silent for so many of its intervals is asked; one with long intervals after the longest time, however. */
const silentIntervals = 3;
const shortestSilenceMs = 30_000;
const longestSilenceMs = 75_000;
/** After a gap of ours nodes that send anyhow need not be asked. */
const graceIntervals = 1.5;
const longestGraceMs = 20_000;
/** A command may be lost: it is sent twice. */
const askAgainMs = 10_000;
const answerMs = 25_000;
/** Requests are spread over this time, however many nodes there are. */
const spreadSeconds = 30;
const fewestAtOnce = 50;

export function createConnectionWatch(options: ConnectionWatchOptions): ConnectionWatch {
  const { sessions, store, clock, isListening, ask, lose, loseDevice } = options;
  const gaps = new Set<string>();

  const clamped = (ms: number, least: number, most: number) => Math.min(most, Math.max(least, ms));
  const silenceMs = ({ scalarIntervalSeconds }: LiveState) =>
    clamped(scalarIntervalSeconds * silentIntervals * 1_000, shortestSilenceMs, longestSilenceMs);
  const graceMs = ({ scalarIntervalSeconds }: LiveState) => Math.min(longestGraceMs, scalarIntervalSeconds * graceIntervals * 1_000);
  const asSilent = (live: LiveState): NodeContact => contactAt(clock.monotonic() + graceMs(live) - silenceMs(live));

  /** From now on they must be heard. */
  const expectWord = async (groups: readonly string[]): Promise<void> => {
    const serials = await store.findConnected(groups.map((group) => Number(group.slice(1))));
    await sessions.load(serials.filter((serial) => sessions.get(serial) === undefined));
    for (const serial of serials) {
      const node = sessions.get(serial);
      if (node === undefined || node === "unknown") continue;
      node.contact = { ...asSilent(node.live), mustAnswer: true };
      node.deviceContacts = new Map([...node.devices].map(([device, live]) => [device, asSilent(live)]));
    }
  };

  const review = (contact: NodeContact, live: LiveState, now: number, next: { ask: () => boolean; lose: () => void }): void => {
    if (contact.askedAt === undefined) {
      if (now - contact.heardAt < silenceMs(live) || !next.ask()) return;
      contact.askedAt = now;
    } else if (now - contact.askedAt >= answerMs) {
      contact.askedAt = undefined;
      contact.mustAnswer = false;
      return next.lose();
    } else if (contact.asked > 1 || now - contact.askedAt < askAgainMs || !next.ask()) return;
    contact.asked++;
  };

  const reviewAll = (node: NodeSession, now: number, mayAsk: () => boolean): void => {
    let hasAsked = false;
    const askNode = () => {
      // One request is for the node and all of its sub nodes.
      if (!hasAsked) ask(node.serial);
      return (hasAsked = true);
    };
    const isRepeated = (contact: NodeContact) => contact.askedAt !== undefined;
    const { contact, live } = node;
    review(contact, live, now, { ask: () => (isRepeated(contact) || mayAsk()) && askNode(), lose: () => lose(node) });
    for (const [device, deviceLive] of node.session.isOnline ? node.devices : []) {
      if (!node.session.isDeviceOnline(device)) {
        node.deviceContacts.delete(device);
        continue;
      }
      const known = node.deviceContacts.get(device) ?? contactAt(now);
      if (!node.deviceContacts.has(device)) node.deviceContacts = new Map(node.deviceContacts).set(device, known);
      review(known, deviceLive, now, {
        ask: () => (hasAsked || isRepeated(known) || mayAsk()) && askNode(),
        lose: () => loseDevice(node, device),
      });
    }
  };

  return {
    noteGap: (group) => void gaps.add(group),
    async run() {
      const groups = [...gaps].filter(isListening);
      if (groups.length > 0) {
        await expectWord(groups);
        for (const group of groups) gaps.delete(group);
      }
      const now = clock.monotonic();
      const watched = [...sessions.values()].filter(({ session, contact }) => session.isOnline || contact.mustAnswer);
      let left = Math.max(fewestAtOnce, Math.ceil(watched.length / spreadSeconds));
      for (const node of watched) {
        const group = groupOf(node.serial);
        if (isListening(group) && !gaps.has(group)) reviewAll(node, now, () => left-- > 0);
      }
    },
  };
}
