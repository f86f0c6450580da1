import {
  keptMessages,
  messageKinds,
  type MessageKind,
  type MutedMessage,
  type NewConsoleError,
  type SystemMessage,
} from "@busbar/contract/system/system-messages.ts";
import type { Pool } from "#db/pool.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { notFound } from "#lib/errors.ts";
import { createTriesLimiter } from "#lib/tries-limiter.ts";
import { visibleText } from "#lib/visible-text.ts";
import { withoutSecrets } from "#lib/without-secrets.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { debugReport } from "./debug-report.ts";
import { displayTime } from "./display-time.ts";
import type { SystemFigures, SystemFiguresReader } from "./system-figures.ts";
import type { MessageCounts, StoredMessage, SystemMessagesStore } from "./system-messages.store.ts";

export interface SystemMessagesDependencies {
  pool: Pool;
  store: SystemMessagesStore;
  figures: SystemFiguresReader;
  mail: Pick<Mail, "enqueue" | "deliver">;
  /** The setting: addresses, or the word caller. */
  recipients: () => Promise<string>;
  clock: Clock;
}

export interface MessageSummary {
  figures: SystemFigures;
  counts: MessageCounts;
  lastDisplayTimestamp: string | null;
  seenThrough: number | null;
  messages: Record<string, SystemMessage>;
}

const postsPerMinute = 10;
// One person's broken page must not push the errors of everyone else out of the list.
const consoleErrorsPerMinute = { person: 5, all: 20 };
const mailedPerKind = 100;
// Each may become a symbol of three bytes; still bounded.
const longestStored = 4_096;

export function createSystemMessages(dependencies: SystemMessagesDependencies) {
  const { pool, store, figures, mail, recipients, clock } = dependencies;
  const limiter = createTriesLimiter(clock, postsPerMinute, `At most ${postsPerMinute} messages a minute`);
  const consoleLimiters = {
    person: createTriesLimiter(
      clock,
      consoleErrorsPerMinute.person,
      `At most ${consoleErrorsPerMinute.person} errors of a console a minute`,
    ),
    all: createTriesLimiter(clock, consoleErrorsPerMinute.all, `At most ${consoleErrorsPerMinute.all} errors of consoles a minute`),
  };

  return {
    async summary(caller: Caller, kind: MessageKind): Promise<MessageSummary> {
      const [read, counts, messages, seenThrough] = await Promise.all([
        figures.read(),
        store.counts(kind),
        store.latest(kind, keptMessages),
        store.seenThrough(caller.userId, kind),
      ]);
      return {
        figures: read,
        counts,
        lastDisplayTimestamp: counts.lastAt === null ? null : displayTime(counts.lastAt),
        seenThrough,
        messages: Object.fromEntries(messages.map((message) => [String(message.id), presentMessage(message)])),
      };
    },

    async muted(): Promise<MutedMessage[]> {
      const messages = await store.muted(clock.now() / 1000);
      return messages.map((message) => ({ id: message.id, kind: message.kind, ...presentMessage(message) }));
    },

    markSeen: async (caller: Caller, kind: MessageKind, id: number): Promise<{ seenThrough: number }> => ({
      seenThrough: await store.markSeen(caller.userId, kind, id),
    }),

    async post(caller: Caller, kind: MessageKind, text: string): Promise<{ id: number }> {
      limiter.count(caller.username);
      const message = visibleText(text, longestStored);
      const id = await inTransaction(pool, async (client) => {
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_SYSTEM_MESSAGE",
          object: kind,
          description: `Added to the ${kind} messages`,
        });
        return store.add(client, kind, [{ at: clock.now() / 1000, source: caller.username, message }], 0);
      });
      return { id };
    },

    /** A failure that a person saw in the console, under the id that the page shows. */
    async reportConsoleError(caller: Caller, { id, message, screen, trace }: NewConsoleError): Promise<{ id: number }> {
      consoleLimiters.person.count(caller.username);
      consoleLimiters.all.count("all");
      const text = withoutSecrets(`Console error ${id} at ${screen}: ${message} ${trace}`.trimEnd());
      const entry = { at: clock.now() / 1000, source: caller.username, message: visibleText(text, longestStored) };
      return { id: await store.addAlone("error", [entry], 0) };
    },

    /** For so many hours neither it nor its equals are listed among the others; 0 ends it. */
    async mute(caller: Caller, id: number, hours: number): Promise<{ mutedUntilTimestamp: number | null }> {
      const mutedUntilTimestamp = hours === 0 ? null : Math.floor(clock.now() / 1000) + hours * 3_600;
      await inTransaction(pool, async (client) => {
        const muted = await store.mute(
          client,
          id,
          mutedUntilTimestamp === null ? null : { until: mutedUntilTimestamp, by: caller.username },
        );
        if (!muted) throw notFound(`Message ${id}`);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "MUTE_SYSTEM_MESSAGE",
          object: muted.kind,
          description: hours === 0 ? "Ended the mute of a message" : `Muted a message for ${hours} ${hours === 1 ? "hour" : "hours"}`,
          after: { message: muted.message.slice(0, 200), mutedUntilTimestamp },
        });
      });
      return { mutedUntilTimestamp };
    },

    /** Mails what came since the last such mail, and says what became of it. */
    async send(caller: Caller): Promise<{ recipients: string[]; isSent: boolean; reason: string | null }> {
      limiter.count(caller.username);
      const parts = await Promise.all(
        messageKinds.map(async (kind) => ({ kind, counts: await store.counts(kind), messages: await store.latest(kind, mailedPerKind) })),
      );
      const configured = await recipients();
      const now = clock.now() / 1000;
      const { to, id } = await inTransaction(pool, async (client) => {
        const addresses =
          configured === "caller" ? [await store.emailOf(client, caller.userId)] : configured.split(",").map((address) => address.trim());
        const queued = await mail.enqueue(
          client,
          { kind: "DEBUG_REPORT", to: addresses, ...debugReport(parts, await figures.read(), caller.username, now) },
          "caller",
        );
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "SEND_DEBUG",
          description: `Sent the debug mail to ${addresses.join(", ")}`,
        });
        return { to: addresses, id: queued };
      });
      if (id === undefined) throw new Error("A notification without a key was not stored");
      const delivery = await mail.deliver(id);
      if (delivery.outcome !== "sent") return { recipients: to, isSent: false, reason: delivery.reason };
      await store.noteNotice(
        Object.fromEntries(parts.map(({ kind, counts }) => [kind, counts.sinceNotice])) as Record<MessageKind, number>,
      );
      return { recipients: to, isSent: true, reason: null };
    },
  };
}
export type SystemMessages = ReturnType<typeof createSystemMessages>;

function presentMessage({
  at,
  firstAt,
  source,
  message,
  count,
  subjectKind,
  subjectId,
  mutedUntil,
  mutedBy,
}: StoredMessage): SystemMessage {
  return {
    timestamp: Math.floor(at),
    displayTimestamp: displayTime(at),
    source,
    message,
    count,
    firstTimestamp: Math.floor(firstAt),
    subject: subjectKind === "" ? null : { kind: subjectKind, id: subjectId },
    mutedUntilTimestamp: mutedUntil === null ? null : Math.floor(mutedUntil),
    mutedBy,
  };
}
