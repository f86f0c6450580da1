import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import { cleanText } from "#lib/clean-text.ts";

/** A message that could not be used as what it claims to be. */
export interface QuarantinedMessage {
  /** 0 for a sender that is no known node. */
  serial: number;
  reason: string;
  topic: string;
  bytes: Uint8Array;
  receivedAtMs: number;
}

const maxSampleBytes = 4_096;
const maxTopicLength = 256;

interface Group {
  first: QuarantinedMessage;
  lastAtMs: number;
  count: number;
}

export type QuarantineStore = ReturnType<typeof createQuarantineStore>;

/** One row per sender and reason, with a count and the newest sample: the table cannot grow with the number of bad messages. */
export function createQuarantineStore() {
  return {
    async write(client: PoolClient, messages: readonly QuarantinedMessage[]): Promise<void> {
      const groups = [...groupMessages(messages).values()];
      await prepared(client, "quarantine-messages", [
        groups.map(({ first }) => first.serial),
        groups.map(({ first }) => first.reason),
        groups.map(({ count }) => count),
        groups.map(({ first }) => first.receivedAtMs),
        groups.map(({ lastAtMs }) => lastAtMs),
        groups.map(({ first }) => cleanText(first.topic, maxTopicLength)),
        groups.map(({ first }) => Buffer.from(first.bytes.subarray(0, maxSampleBytes))),
      ])`
        insert into quarantine as q (serial_number, reason, count, first_at, last_at, topic, sample)
        select s, r, c, to_timestamp(f / 1000.0), to_timestamp(l / 1000.0), t, b
        from unnest($1::int4[], $2::text[], $3::int8[], $4::float8[], $5::float8[], $6::text[], $7::bytea[]) as m (s, r, c, f, l, t, b)
        order by s, r
        on conflict (serial_number, reason) do update set count = q.count + excluded.count,
          last_at = greatest(q.last_at, excluded.last_at), topic = excluded.topic, sample = excluded.sample`;
    },
  };
}

function groupMessages(messages: readonly QuarantinedMessage[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const message of messages) {
    const key = `${message.serial} ${message.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: message, lastAtMs: message.receivedAtMs, count: 1 });
    else {
      group.count++;
      group.lastAtMs = Math.max(group.lastAtMs, message.receivedAtMs);
    }
  }
  return groups;
}
