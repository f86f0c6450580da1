import { groupOf } from "@busbar/sparkplug/topic.ts";
import type { ConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { NodeSession, NodeSessions } from "./node-sessions.ts";

export interface ConnectionWatchOptions {
  sessions: Pick<NodeSessions, "get" | "load" | "values">;
  store: Pick<ConnectivityStore, "findConnected">;
  clock: Clock;
  /** Nodes of the group can be heard now: else their silence says nothing. */
  isListening: (group: string) => boolean;
  ask: (serial: number) => void;
  lose: (node: NodeSession) => void;
}

/** Makes sure that every node that counts as connected is, whatever its broker or we have lost: only its word counts. */
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
  const { sessions, store, clock, isListening, ask, lose } = options;
  const gaps = new Set<string>();

  const clamped = (ms: number, least: number, most: number) => Math.min(most, Math.max(least, ms));
  const silenceMs = ({ live }: NodeSession) =>
    clamped(live.scalarIntervalSeconds * silentIntervals * 1_000, shortestSilenceMs, longestSilenceMs);
  const graceMs = ({ live }: NodeSession) => Math.min(longestGraceMs, live.scalarIntervalSeconds * graceIntervals * 1_000);

  /** From now on they must be heard. */
  const expectWord = async (groups: readonly string[]): Promise<void> => {
    const serials = await store.findConnected(groups.map((group) => Number(group.slice(1))));
    await sessions.load(serials.filter((serial) => sessions.get(serial) === undefined));
    const now = clock.monotonic();
    for (const serial of serials) {
      const node = sessions.get(serial);
      if (node === undefined || node === "unknown") continue;
      node.contact = { heardAt: now + graceMs(node) - silenceMs(node), askedAt: undefined, asked: 0, mustAnswer: true };
    }
  };

  const review = (node: NodeSession, now: number, mayAsk: () => boolean): void => {
    const { contact } = node;
    if (contact.askedAt === undefined) {
      if (now - contact.heardAt < silenceMs(node) || !mayAsk()) return;
      contact.askedAt = now;
    } else if (now - contact.askedAt >= answerMs) {
      contact.askedAt = undefined;
      contact.mustAnswer = false;
      return lose(node);
    } else if (contact.asked > 1 || now - contact.askedAt < askAgainMs) return;
    contact.asked++;
    ask(node.serial);
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
        if (isListening(group) && !gaps.has(group)) review(node, now, () => left-- > 0);
      }
    },
  };
}
