import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Digests } from "#features/alarms/digests/digests.service.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import {
  findLostConnections,
  findRecipients,
  findRestoredConnections,
  forgetLosses,
  forgetUnwatchedLosses,
  markLossReported,
  findAwaitingNodes,
  takeAwaitedConnections,
  takeAwaitedCurrents,
  type ChangedConnection,
  type WaitedFor,
} from "./fleet-notices.store.ts";
import { byFacility, listOf, subjectOf } from "./notice-words.ts";

/** So long a connection must be lost, or be back, before anyone is notified. */
const hysteresisSeconds = 600;
const name = "ConnectivityMonitor";

export interface FleetNoticesDependencies {
  pool: Pool;
  clock: Clock;
  mail: Pick<Mail, "enqueue">;
  digests: Digests;
  internalRecipients: () => Promise<readonly string[]>;
  /** Of this installation, such as `Production`. */
  environment: string;
}

/** Reports connections lost and restored, one message per facility, and once of nodes that someone waits for. */
export function createConnectivityMonitor({ pool, clock, mail, digests, internalRecipients, environment }: FleetNoticesDependencies): Task {
  async function notifyChanges(client: PoolClient, kind: "LOST" | "RESTORED", changes: readonly ChangedConnection[]): Promise<void> {
    for (const nodes of byFacility(changes)) {
      const [first] = nodes;
      if (!first) continue;
      const { to, bcc } = await findRecipients(client, first.facilityId);
      const open = nodes.filter(({ heldReason }) => heldReason === null);
      const forCustomers = open.filter(({ deploymentIssue }) => !deploymentIssue);
      const word = kind === "LOST" ? "Connectivity lost" : "Connectivity restored";
      const id = await mail.enqueue(client, {
        kind: `CONNECTIVITY_${kind}`,
        subject: `[${environment}] ${word}: ${subjectOf(open.length > 0 ? open : nodes)}`,
        body: bodyOf(word, open.length > 0 ? open : nodes),
        to: forCustomers.length > 0 ? to : [],
        bcc,
        dedupeKey: [`CONNECTIVITY_${kind}`, first.facilityId, ...nodes.map(keyOf)].join(" ").slice(0, 1_000),
        subjects: nodes.map(({ serialNumber, at }) => ({ serialNumber, topic: "link", at })),
        ...heldBack(nodes, bcc),
      });
      if (id === undefined || open.length === 0) continue;
      await digests.add(client, {
        facilityId: first.facilityId,
        preference: "receive_connectivity_notifications",
        isInternalOnly: forCustomers.length === 0,
        at: Math.max(...open.map(({ at }) => at)),
        timezone: first.timezone,
        words: `${word}: ${open.length === 1 ? `${open[0]?.locationName} (${open[0]?.serialNumber})` : counted(open.length, "node")}`,
      });
    }
  }

  async function notifyAwaited(client: PoolClient, kind: string, word: string, nodes: readonly WaitedFor[]): Promise<void> {
    if (nodes.length === 0) return;
    const to = await internalRecipients();
    for (const { serialNumber, locationName, facilityName } of nodes) {
      const where = locationName === null ? "no location" : `${locationName}, ${facilityName}`;
      await mail.enqueue(client, {
        kind,
        subject: `[${environment}] ${word}: ${where} (${serialNumber})`,
        body: `${word}: node ${serialNumber} at ${where}.\n\nThis was requested once and is not reported again.\n`,
        to,
      });
    }
  }

  return {
    name,
    intervalSeconds: 30,
    did: (count) => `Followed changes of ${counted(count, "connection")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const walk = startWalk({ pool, clock, service: name, signal });
      const eachNode = { kind: "node", idOf: ({ serialNumber }: { serialNumber: number }) => serialNumber };
      await forgetUnwatchedLosses(pool);
      let count = await walk.over({
        ...eachNode,
        items: await findLostConnections(pool, now - hysteresisSeconds, now),
        work: (lost) =>
          inTransaction(pool, async (client) => {
            await notifyChanges(client, "LOST", lost);
            await markLossReported(client, lost, now);
            return lost.length;
          }),
      });
      count += await walk.over({
        ...eachNode,
        items: await findRestoredConnections(pool, now - hysteresisSeconds, now),
        work: (restored) =>
          inTransaction(pool, async (client) => {
            // Who never heard of a loss has nothing to hear of its end.
            await notifyChanges(
              client,
              "RESTORED",
              restored.filter(({ isHeld }) => !isHeld),
            );
            await forgetLosses(
              client,
              restored.map(({ serialNumber }) => serialNumber),
            );
            return restored.length;
          }),
      });
      count += await walk.over({
        items: await findAwaitingNodes(pool),
        kind: "node",
        idOf: (serial) => serial,
        work: (serials) =>
          inTransaction(pool, async (client) => {
            const connected = await takeAwaitedConnections(client, serials);
            await notifyAwaited(client, "NODE_CONNECTED", "Node connected", connected);
            const running = await takeAwaitedCurrents(client, serials);
            await notifyAwaited(client, "CURRENT_ABOVE_NOISE", "Current above noise", running);
            return connected.length + running.length;
          }),
      });
      return walk.end(count);
    },
  };
}

/** A loss is reported once while its node is paused or muted and once afterwards. */
const keyOf = ({ serialNumber, at, heldReason }: ChangedConnection): string =>
  `${serialNumber}@${at}${heldReason === null ? "" : " paused"}`;

function bodyOf(word: string, nodes: readonly ChangedConnection[]): string {
  const lines = listOf(nodes, ({ at, timezone, disconnectReason }) => {
    const reason = disconnectReason === "no-answer" ? ", silent and without an answer when it was asked" : "";
    return `since ${formatLocalTime(at, timezone)}${reason}`;
  });
  return [`${word} at ${nodes[0]?.facilityName}, ${nodes[0]?.customerName}.`, "", ...lines, ""].join("\n");
}

function heldBack(nodes: readonly ChangedConnection[], bcc: readonly string[]): { notSentReason?: string } {
  const [first] = nodes;
  if (first && nodes.every(({ heldReason }) => heldReason !== null)) return { notSentReason: first.heldReason ?? "" };
  const isKept = nodes.every(({ heldReason, deploymentIssue }) => heldReason !== null || deploymentIssue);
  return isKept && bcc.length === 0 ? { notSentReason: "Deployment issue" } : {};
}
