import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";

export interface Recipients {
  to: readonly string[];
  cc?: readonly string[];
  bcc?: readonly string[];
}

/** What a message is about: a loss or a return of a node's connection, or an alarm of this kind, at its moment in epoch seconds. */
export interface NotificationSubject {
  serialNumber: number;
  topic: string;
  at: number;
}

export interface NewNotificationRow extends Recipients {
  /** Such as `ACCOUNT_WELCOME`: docs/operations.md. */
  kind: string;
  subject: string;
  body: string;
  messageId: string;
  dedupeKey: string | undefined;
  createdAt: number;
  /** Null: never. */
  nextAttemptAt: number | null;
  notSentReason: string | undefined;
  subjects: readonly NotificationSubject[];
}

/** A row that this process may send now. Times in epoch seconds. */
export interface ClaimedNotification {
  id: number;
  kind: string;
  subject: string;
  to: string[];
  cc: string[];
  bcc: string[];
  body: string;
  messageId: string;
  createdAt: number;
  /** This one included. */
  attempts: number;
}

const claimed = `id::float8 as id, kind, subject, recipients_to as "to", recipients_cc as cc, recipients_bcc as bcc, body,
  message_id as "messageId", ${exactEpoch("created_at")} as "createdAt", attempts`;

export function createMailStore(pool: Pool) {
  return {
    /** The row's id; undefined when its event has a row already. */
    async insert(client: PoolClient, row: NewNotificationRow): Promise<number | undefined> {
      const rows = await planned<{ id: number }>(client, "insert-notification", [
        row.kind,
        row.subject,
        row.to,
        row.cc ?? [],
        row.bcc ?? [],
        row.body,
        row.messageId,
        row.dedupeKey ?? null,
        row.createdAt,
        row.nextAttemptAt,
        row.notSentReason ?? null,
        row.subjects.map(({ serialNumber }) => serialNumber),
        row.subjects.map(({ topic }) => topic),
        row.subjects.map(({ at }) => at),
      ])`
        with added as (insert into notification
          (kind, subject, recipients_to, recipients_cc, recipients_bcc, body, message_id, dedupe_key, created_at, next_attempt_at, sent_failed_reason)
        values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9), to_timestamp($10), $11)
        on conflict (dedupe_key) do nothing returning id),
        about as (insert into notification_subject (notification_id, serial_number, topic, at)
          select a.id, u.serial, u.topic, to_timestamp(u.at) from added a
          cross join unnest($12::int4[], $13::text[], $14::float8[]) as u (serial, topic, at) join node n on n.serial_number = u.serial
          on conflict do nothing)
        select id::float8 as id from added`;
      return rows[0]?.id;
    },

    /** The youngest row of this kind to this address that is neither sent nor given up. */
    async findOpen(client: PoolClient, kind: string, to: string): Promise<number | undefined> {
      const rows = await planned<{ id: number }>(client, "find-open-notification", [kind, to])`
        select id::float8 as id from notification
        where next_attempt_at is not null and kind = $1 and recipients_to = array[$2] order by id desc limit 1`;
      return rows[0]?.id;
    },

    /** Those that have been due for the longest time. */
    async findDue(now: number, limit: number, ids: readonly string[] | null): Promise<string[]> {
      const rows = await prepared<{ id: string }>(pool, "find-due-notifications", [now, limit, ids])`
        select id::text from notification where next_attempt_at <= to_timestamp($1)
        and ${isNext("NotificationSender", "notification", "id::text", "$3")} order by next_attempt_at, id limit $2`;
      return rows.map(({ id }) => id);
    },

    /** Takes the row if it is still due: no one else gets it before `leaseEndsAt`. */
    async claimDue(id: string, now: number, leaseEndsAt: number): Promise<ClaimedNotification | undefined> {
      const rows = await planned<ClaimedNotification>(pool, "claim-due-notification", [id, now, leaseEndsAt])`
        update notification set attempts = attempts + 1, next_attempt_at = to_timestamp($3)
        where id = (select id from notification where id = $1 and next_attempt_at <= to_timestamp($2) for update skip locked)
        returning ${claimed}`;
      return rows[0];
    },

    /** Messages that are neither sent nor given up. */
    async countWaiting(): Promise<number> {
      const rows = await planned<{ count: number }>(pool, "count-waiting-notifications")`
        select count(*)::int4 as count from notification where next_attempt_at is not null`;
      return rows[0]?.count ?? 0;
    },

    /** Takes this row whenever it was due; undefined when it is sent or given up. */
    async claim(id: number, leaseEndsAt: number): Promise<ClaimedNotification | undefined> {
      const rows = await planned<ClaimedNotification>(pool, "claim-notification", [id, leaseEndsAt])`
        update notification set attempts = attempts + 1, next_attempt_at = to_timestamp($2)
        where id = $1 and next_attempt_at is not null returning ${claimed}`;
      return rows[0];
    },

    /**
     * @param remark what was not right all the same, such as a recipient that was refused
     * @param later recipients that were refused for now: they get a row of their own
     */
    async markSent(
      id: number,
      at: number,
      remark: string | null,
      later: { recipients: readonly string[]; messageId: string; nextAttemptAt: number },
    ): Promise<void> {
      const among = (column: string) => `array(select r from unnest(${column}) with ordinality as u (r, n) where r = any ($4) order by n)`;
      await planned(pool, "notification-sent", [id, at, remark, later.recipients, later.messageId, later.nextAttemptAt])`with sent as (
          update notification set sent_at = to_timestamp($2), sent_success = true, sent_failed_reason = $3, next_attempt_at = null where id = $1 returning *)
        insert into notification (kind, subject, recipients_to, recipients_cc, recipients_bcc, body, created_at, attempts, next_attempt_at, message_id)
        select kind, subject, ${among("recipients_to")}, ${among("recipients_cc")}, ${among("recipients_bcc")}, body, created_at, attempts, to_timestamp($6), $5
        from sent where cardinality($4::text[]) > 0`;
    },

    /** @param nextAttemptAt null gives up */
    async markFailed(id: number, reason: string, nextAttemptAt: number | null): Promise<void> {
      await planned(pool, "notification-failed", [id, reason, nextAttemptAt])`
        update notification set sent_failed_reason = $2, next_attempt_at = to_timestamp($3) where id = $1 and sent_at is null`;
    },
  };
}
export type MailStore = ReturnType<typeof createMailStore>;
