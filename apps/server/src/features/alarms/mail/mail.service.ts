import { randomUUID } from "node:crypto";
import { consoleLink, type LinkedScreen } from "@busbar/contract/values/console-links.ts";
import type { PoolClient } from "pg";
import type { Clock } from "#lib/clock.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Log } from "#lib/log.ts";
import type { Walk } from "#services/walk.ts";
import type { MailTransport } from "./mail-transport.ts";
import type { ClaimedNotification, MailStore, NotificationSubject, Recipients } from "./mail.store.ts";

const leaseSeconds = 120;
const firstRetrySeconds = 30;
const longestRetrySeconds = 3_600;
const giveUpAfterSeconds = 86_400;
const longestSubject = 200;

const dueAtOnce = 50;

/** Sets nothing aside. */
const plainWalk: Pick<Walk, "throughQueue"> = {
  async throughQueue({ find, work, isOver }) {
    let total = 0;
    for (let count = 1; count > 0; total += count) {
      count = 0;
      for (const item of await find(null)) count += isOver?.() ? 0 : await work([item]);
    }
    return total;
  },
};

export type NewNotification = Recipients & {
  /** Such as `ACCOUNT_WELCOME`: docs/operations.md. */
  kind: string;
  subject: string;
  /** One event makes one message, however often it is reported: a second row of the same key is not made. */
  dedupeKey?: string;
  /** Why it is written down and not sent. */
  notSentReason?: string;
  /** The incidents that it belongs to are found by it. */
  subjects?: readonly NotificationSubject[];
} & NotificationText;

/** Plain text; with the address of a screen in it, which is made here alone. */
type NotificationText = { body: string; screen?: never } | { body: (link: string) => string; screen: LinkedScreen };

export type Delivery =
  | { outcome: "sent"; at: number }
  | { outcome: "retried later"; reason: string; isServerAway: boolean }
  | { outcome: "given up"; reason: string };

export interface MailDependencies {
  store: MailStore;
  transport: MailTransport;
  clock: Clock;
  log: Log;
  /** Right side of our Message-IDs. */
  domain: string;
  /** Of the console as people reach it, without a slash at its end; known once the program listens. */
  consoleUrl: () => string;
}

/**
 * The outbox: a message is a row, written in the transaction of what it reports, and sent afterwards at least once. A process that
 * dies between sending and marking leaves a lease that ends, and the message goes out again under the same Message-ID.
 */
export function createMail({ store, transport, clock, log, domain, consoleUrl }: MailDependencies) {
  const nowSeconds = () => clock.now() / 1000;
  /** Why the mail server takes no message at all, as of the last try. */
  let serverProblem: string | undefined;

  function noteServer(problem: string | undefined): void {
    if (problem !== undefined && serverProblem === undefined) log.warn({ reason: problem }, "the mail server takes nothing: messages wait");
    if (problem === undefined && serverProblem !== undefined) log.info("the mail server takes messages again");
    serverProblem = problem;
  }

  const newMessageId = () => `<${randomUUID()}@${domain}>`;

  /** Returns the row's id, or undefined when its event has one. With `heldFor`, the caller delivers it and no one else does meanwhile. */
  async function enqueue(
    client: PoolClient,
    notification: NewNotification,
    heldFor: "caller" | "sender" = "sender",
  ): Promise<number | undefined> {
    const now = nowSeconds();
    return await store.insert(client, {
      kind: notification.kind,
      to: notification.to,
      cc: notification.cc ?? [],
      bcc: notification.bcc ?? [],
      body: notification.screen === undefined ? notification.body : notification.body(consoleLink(consoleUrl(), notification.screen)),
      subject: cleanText(notification.subject, longestSubject),
      messageId: newMessageId(),
      dedupeKey: notification.dedupeKey,
      createdAt: now,
      nextAttemptAt: nextAttemptOf(notification, now, heldFor),
      notSentReason: notification.notSentReason,
      subjects: notification.subjects ?? [],
    });
  }

  async function attempt(message: ClaimedNotification): Promise<Delivery> {
    if (message.to.length + message.cc.length + message.bcc.length === 0) return await giveUp(message, "No recipients");
    const handover = await transport.send(message);
    noteServer(handover.outcome === "failed" && handover.isServerAway ? handover.reason : undefined);
    const now = nowSeconds();
    const wait = Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (message.attempts - 1));
    if (handover.outcome === "taken") {
      const isTooLate = now - message.createdAt >= giveUpAfterSeconds;
      const deferred = isTooLate ? [] : handover.deferredRecipients;
      const refused = isTooLate ? [...handover.refusedRecipients, ...handover.deferredRecipients] : handover.refusedRecipients;
      const remark = [
        ...(refused.length > 0 ? [`not taken for ${refused.join(", ")}`] : []),
        ...(deferred.length > 0 ? [`tried again later for ${deferred.join(", ")}`] : []),
      ].join("; ");
      await store.markSent(message.id, now, remark === "" ? null : cleanText(`SMTP: ${remark}`, 300), {
        recipients: deferred,
        messageId: newMessageId(),
        nextAttemptAt: now + wait,
      });
      return { outcome: "sent", at: Math.floor(now) };
    }
    if (handover.isFinal || now - message.createdAt >= giveUpAfterSeconds) return await giveUp(message, handover.reason);
    await store.markFailed(message.id, handover.reason, now + wait);
    log.info(
      { notification: message.id, kind: message.kind, attempts: message.attempts, reason: handover.reason },
      "mail is tried again later",
    );
    return { outcome: "retried later", reason: handover.reason, isServerAway: handover.isServerAway };
  }

  async function giveUp(message: ClaimedNotification, reason: string): Promise<Delivery> {
    await store.markFailed(message.id, reason, null);
    const recipient = [...message.to, ...message.cc, ...message.bcc].join(", ");
    log.warn({ notification: message.id, recipient, mail: message.kind, attempts: message.attempts, reason }, "mail given up");
    return { outcome: "given up", reason };
  }

  return {
    enqueue,

    /** Of this kind to this address, waiting to be tried again. */
    findOpen: (client: PoolClient, kind: string, to: string) => store.findOpen(client, kind, to),

    /** Tries to send one row now. */
    async deliver(id: number): Promise<Delivery> {
      const message = await store.claim(id, nowSeconds() + leaseSeconds);
      if (!message) return { outcome: "given up", reason: "It was sent or given up meanwhile" };
      return await attempt(message);
    },

    /**
     * Sends what is due, one after the other: a process that dies leaves one message at most that was sent and not marked. Ends early while
     * the mail server is away. Returns how many were tried.
     */
    async deliverDue(signal: AbortSignal, walk: Pick<Walk, "throughQueue"> = plainWalk): Promise<number> {
      let isServerAway = false;
      return walk.throughQueue({
        kind: "notification",
        find: (ids) => store.findDue(nowSeconds(), dueAtOnce, ids),
        findSize: dueAtOnce,
        batchSize: 1,
        idOf: String,
        async work(ids) {
          let count = 0;
          for (const id of ids) {
            const message = await store.claimDue(id, nowSeconds(), nowSeconds() + leaseSeconds);
            const delivery = message && (await attempt(message));
            isServerAway = delivery?.outcome === "retried later" && delivery.isServerAway;
            if (delivery) count++;
          }
          return count;
        },
        isOver: () => isServerAway || signal.aborted,
      });
    },

    /** What keeps mail from going out while messages wait. */
    async problem(): Promise<{ reason: string; waiting: number } | undefined> {
      if (serverProblem === undefined) return undefined;
      const waiting = await store.countWaiting();
      if (waiting === 0) serverProblem = undefined;
      return serverProblem === undefined ? undefined : { reason: serverProblem, waiting };
    },
  };
}
export type Mail = ReturnType<typeof createMail>;

function nextAttemptOf({ notSentReason }: NewNotification, now: number, heldFor: "caller" | "sender"): number | null {
  if (notSentReason !== undefined) return null;
  return heldFor === "caller" ? now + leaseSeconds : now;
}
