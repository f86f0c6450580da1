import { keptMessages, type MessageKind, type MessageSubject } from "@busbar/contract/system/system-messages.ts";
import type { Pool } from "pg";
import { epochSeconds, exactEpoch } from "#db/epoch-sql.ts";
import { inTransaction } from "#db/transaction.ts";
import type { PoolClient } from "#db/pool.ts";
import { planned, prepared } from "#db/statement.ts";

export interface NewMessage {
  at: number;
  source: string;
  message: string;
  subject?: { kind: MessageSubject; id: string } | undefined;
  /** What its equals have in common; by default the whole message. */
  same?: string | undefined;
}

export interface StoredMessage {
  id: number;
  at: number;
  firstAt: number;
  source: string;
  message: string;
  count: number;
  subjectKind: MessageSubject | "";
  subjectId: string;
  mutedUntil: number | null;
  mutedBy: string | null;
}

export interface MessageCounts {
  lifetime: number;
  sinceNotice: number;
  overflow: number;
  lastAt: number | null;
}

const columns = `id::float8 as id, ${exactEpoch("ts")} as at, ${exactEpoch("first_at")} as "firstAt", source, message, count,
  subject_kind as "subjectKind", subject_id as "subjectId", ${exactEpoch("muted_until")} as "mutedUntil", muted_by as "mutedBy"`;

export function createSystemMessagesStore(pool: Pool) {
  async function add(client: PoolClient, kind: MessageKind, messages: readonly NewMessage[], dropped: number): Promise<number> {
    const rows = equalsTogether(messages);
    const kept = rows.slice(-keptMessages);
    const lastAt = messages.at(-1)?.at;
    // First, so that two writers of one kind come one after the other.
    await planned(client, "count-messages", [kind, messages.length + dropped, lastAt ?? null])`
      update system_message_count set lifetime = lifetime + $2, since_notice = since_notice + $2,
      last_at = greatest(last_at, to_timestamp($3::float8)) where kind = $1`;
    // An equal one that is there gets the newest number: the highest is the newest.
    const stored = await planned<{ id: number }>(client, "insert-messages", [kind, JSON.stringify(kept)])`with given as (
          select *, md5(same) as digest from jsonb_to_recordset($2) as r (at float8, first float8, source text, message text, count int4, kind text, subject text, same text)),
        known as (delete from system_message where kind = $1 and same in (select digest from given) returning same, count, first_at, muted_until, muted_by)
      insert into system_message (kind, ts, first_at, source, message, count, muted_until, muted_by, subject_kind, subject_id, same)
      select $1, to_timestamp(g.at), coalesce(k.first_at, to_timestamp(g.first)), g.source, g.message, g.count + coalesce(k.count, 0), k.muted_until, k.muted_by, g.kind, g.subject, g.digest
      from given g left join known k on k.same = g.digest order by g.at returning id::float8 as id`;
    const forgotten = await planned<{ count: number }>(client, "forget-messages", [kind])`
      with gone as (delete from system_message where kind = $1
        and id <= (select id from system_message where kind = $1 order by id desc offset ${keptMessages} limit 1) returning count)
      select coalesce(sum(count), 0)::float8 as count from gone`;
    const notKept = rows.slice(0, -keptMessages).reduce((sum, { count }) => sum + count, 0);
    const lost = (forgotten[0]?.count ?? 0) + notKept + dropped;
    if (lost > 0)
      await planned(client, "count-overflow", [kind, lost])`update system_message_count set overflow = overflow + $2 where kind = $1`;
    return stored.at(-1)?.id ?? 0;
  }

  return {
    add,

    addAlone: (kind: MessageKind, messages: readonly NewMessage[], dropped: number): Promise<number> =>
      inTransaction(pool, (client) => add(client, kind, messages, dropped)),

    async counts(kind: MessageKind): Promise<MessageCounts> {
      const rows = await prepared<MessageCounts>(pool, "message-counts", [kind])`
        select lifetime::float8 as lifetime, since_notice::float8 as "sinceNotice", overflow::float8 as overflow,
        ${epochSeconds("last_at")} as "lastAt" from system_message_count where kind = $1`;
      return rows[0] ?? { lifetime: 0, sinceNotice: 0, overflow: 0, lastAt: null };
    },

    /** Newest first. */
    async latest(kind: MessageKind, limit: number): Promise<StoredMessage[]> {
      return await prepared<StoredMessage>(pool, "latest-messages", [kind, limit])`
        select ${columns} from system_message where kind = $1 order by id desc limit $2`;
    },

    /** Of every kind, the first to end first. */
    async muted(now: number): Promise<(StoredMessage & { kind: MessageKind })[]> {
      return await prepared<StoredMessage & { kind: MessageKind }>(pool, "muted-messages", [now])`
        select kind, ${columns} from system_message where muted_until > to_timestamp($1) order by muted_until, id`;
    },

    /** The newest message that this person had looked at. */
    async seenThrough(userId: number, kind: MessageKind): Promise<number | null> {
      const rows = await prepared<{ id: number }>(pool, "messages-seen", [userId, kind])`
        select message_id::float8 as id from system_message_seen where user_id = $1 and kind = $2`;
      return rows[0]?.id ?? null;
    },

    /** Never back: another device may have shown newer ones. What is not there yet is new when it comes. */
    async markSeen(userId: number, kind: MessageKind, id: number): Promise<number> {
      const rows = await planned<{ id: number }>(pool, "mark-messages-seen", [userId, kind, id])`
        insert into system_message_seen as s (user_id, kind, message_id)
        values ($1, $2, least($3, (select coalesce(max(id), 0) from system_message where kind = $2)))
        on conflict (user_id, kind) do update set message_id = greatest(s.message_id, excluded.message_id) returning message_id::float8 as id`;
      return rows[0]?.id ?? 0;
    },

    /** @param mute epoch seconds and who; null ends it. Undefined when there is no such message (any more). */
    async mute(
      client: PoolClient,
      id: number,
      mute: { until: number; by: string } | null,
    ): Promise<{ kind: string; message: string } | undefined> {
      const rows = await planned<{ kind: string; message: string }>(client, "mute-message", [id, mute?.until ?? null, mute?.by ?? null])`
        update system_message set muted_until = to_timestamp($2), muted_by = $3 where id = $1 returning kind, message`;
      return rows[0];
    },

    async emailOf(client: PoolClient, userId: number): Promise<string> {
      const rows = await planned<{ email: string }>(client, "email-of-user", [userId])`select email from app_user where id = $1`;
      return rows[0]?.email ?? "";
    },

    /** The messages up to now were reported to someone. */
    async noteNotice(reported: Record<MessageKind, number>): Promise<void> {
      await planned(pool, "note-notice", [JSON.stringify(reported)])`
        update system_message_count c set since_notice = greatest(0, c.since_notice - t.value::bigint)
        from jsonb_each_text($1) t where t.key = c.kind`;
    },
  };
}
export type SystemMessagesStore = ReturnType<typeof createSystemMessagesStore>;

/** Each once, with how often it came and when first; in the order of their last. */
function equalsTogether(messages: readonly NewMessage[]) {
  const rows = new Map<
    string,
    { at: number; first: number; source: string; message: string; count: number; kind: string; subject: string; same: string }
  >();
  for (const { at, source, message, subject, same } of messages) {
    const key = `${source} ${same ?? message}`;
    const { first, count } = rows.get(key) ?? { first: at, count: 0 };
    rows.delete(key);
    rows.set(key, { at, first, source, message, count: count + 1, kind: subject?.kind ?? "", subject: subject?.id ?? "", same: key });
  }
  return [...rows.values()];
}
