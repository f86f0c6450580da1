import { keptMessages } from "@busbar/contract/system-messages.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { PoolClient } from "#db/pool.ts";

export const messageKinds = ["error", "warning", "debug"] as const;
export type MessageKind = (typeof messageKinds)[number];

export interface NewMessage {
  at: number;
  source: string;
  message: string;
}

export interface StoredMessage extends NewMessage {
  id: number;
}

export interface MessageCounts {
  lifetime: number;
  sinceNotice: number;
  overflow: number;
  lastAt: number | null;
}

const columns = `id::float8 as id, extract(epoch from ts)::float8 as at, source, message`;

export function createSystemMessagesStore(pool: Pool) {
  async function add(client: PoolClient, kind: MessageKind, messages: readonly NewMessage[], dropped: number): Promise<number> {
    const kept = messages.slice(-keptMessages);
    const lastAt = messages.at(-1)?.at;
    // First, so that two writers of one kind come one after the other.
    await client.query(
      `/* count-messages */ update system_message_count set lifetime = lifetime + $2, since_notice = since_notice + $2,
         last_at = greatest(last_at, to_timestamp($3::float8)) where kind = $1`,
      [kind, messages.length + dropped, lastAt ?? null],
    );
    const { rows } = await client.query<{ id: number }>(
      `/* insert-messages */ insert into system_message (kind, ts, source, message)
       select $1, to_timestamp(at), source, message from jsonb_to_recordset($2) as r(at float8, source text, message text) returning id::float8 as id`,
      [kind, JSON.stringify(kept)],
    );
    const { rowCount } = await client.query(
      `/* forget-messages */ delete from system_message where kind = $1
         and id <= (select id from system_message where kind = $1 order by id desc offset ${keptMessages} limit 1)`,
      [kind],
    );
    const lost = (rowCount ?? 0) + messages.length - kept.length + dropped;
    if (lost > 0)
      await client.query("/* count-overflow */ update system_message_count set overflow = overflow + $2 where kind = $1", [kind, lost]);
    return rows.at(-1)?.id ?? 0;
  }

  return {
    add,

    addAlone: (kind: MessageKind, messages: readonly NewMessage[], dropped: number): Promise<number> =>
      inTransaction(pool, (client) => add(client, kind, messages, dropped)),

    async counts(kind: MessageKind): Promise<MessageCounts> {
      const { rows } = await pool.query<MessageCounts>({
        name: "message-counts",
        text: `/* message-counts */ select lifetime::float8 as lifetime, since_notice::float8 as "sinceNotice", overflow::float8 as overflow,
                 floor(extract(epoch from last_at))::float8 as "lastAt" from system_message_count where kind = $1`,
        values: [kind],
      });
      return rows[0] ?? { lifetime: 0, sinceNotice: 0, overflow: 0, lastAt: null };
    },

    /** Newest first. */
    async latest(kind: MessageKind, limit: number): Promise<StoredMessage[]> {
      const { rows } = await pool.query<StoredMessage>({
        name: "latest-messages",
        text: `/* latest-messages */ select ${columns} from system_message where kind = $1 order by id desc limit $2`,
        values: [kind, limit],
      });
      return rows;
    },

    async emailOf(client: PoolClient, userId: number): Promise<string> {
      const { rows } = await client.query<{ email: string }>("/* email-of-user */ select email from app_user where id = $1", [userId]);
      return rows[0]?.email ?? "";
    },

    /** The messages up to now were told to somebody. */
    async noteNotice(told: Record<MessageKind, number>): Promise<void> {
      await pool.query(
        `/* note-notice */ update system_message_count c set since_notice = greatest(0, c.since_notice - t.value::bigint)
         from jsonb_each_text($1) t where t.key = c.kind`,
        [JSON.stringify(told)],
      );
    },
  };
}
export type SystemMessagesStore = ReturnType<typeof createSystemMessagesStore>;
