import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared } from "#db/statement.ts";

/** An item that a service cannot do its work on for now. Times in epoch seconds. */
export interface SetAside {
  /** Such as `node`. */
  kind: string;
  item: string;
  reason: string;
  /** That failed; none when it waits for someone else. */
  tries: number;
  /** `none`: it waits for someone else. */
  fault: "item" | "platform" | "none";
  nextTryAt: number;
}

export type NewSetAside = Pick<SetAside, "kind" | "item" | "reason" | "fault"> & {
  /** Without it after a minute, then after twice as long each time, after an hour at most. */
  nextTryAt: number | undefined;
};

/** Of all that a service has set aside. */
export interface SetAsideFigures {
  failedCount: number;
  waitingCount: number;
  hasPlatformFailed: boolean;
  /** After now. */
  nextTryAt: number | null;
}

const firstWaitSeconds = 60;
const longestWaitSeconds = 3_600;
const mostDoublings = 10;
const columns = `kind, item, reason, tries, fault, ${exactEpoch("next_try_at")} as "nextTryAt"`;

export function createSetAsideStore(pool: Pool, service: string) {
  return {
    async list(kind: string): Promise<SetAside[]> {
      return await prepared<SetAside>(pool, "list-set-aside", [service, kind])`
        select ${columns} from service_set_aside where service = $1 and kind = $2 order by first_at, item`;
    },

    /** Takes what is due, the longest first: no other run gets it before `leaseEndsAt`. */
    async claimDue(kind: string, limit: number, now: number, leaseEndsAt: number): Promise<string[]> {
      const rows = await prepared<{ item: string }>(pool, "claim-due-work", [service, kind, limit, now, leaseEndsAt])`
        with due as materialized (
          select item from service_set_aside where service = $1 and kind = $2 and next_try_at <= to_timestamp($4)
          order by next_try_at limit $3 for update skip locked)
        update service_set_aside set next_try_at = to_timestamp($5) where service = $1 and kind = $2 and item = any (array(select item from due))
        returning item`;
      return rows.map(({ item }) => item);
    },

    async put({ kind, item, reason, fault, nextTryAt }: NewSetAside, now: number): Promise<SetAside> {
      const rows = await planned<SetAside>(pool, "put-aside", [
        service,
        kind,
        item,
        reason,
        fault,
        now,
        nextTryAt ?? null,
        firstWaitSeconds,
        longestWaitSeconds,
        mostDoublings,
      ])`
        insert into service_set_aside as w (service, kind, item, reason, fault, tries, first_at, last_at, next_try_at)
        values ($1, $2, $3, $4, $5, case when $5 = 'none' then 0 else 1 end, to_timestamp($6), to_timestamp($6), to_timestamp(coalesce($7, $6 + $8)))
        on conflict (service, kind, item) do update
          set reason = excluded.reason, fault = excluded.fault, tries = w.tries + excluded.tries, last_at = excluded.last_at,
            next_try_at = to_timestamp(coalesce($7, $6 + least($9, $8 * power(2, least(w.tries, $10)))))
        returning ${columns}`;
      return rows[0]!;
    },

    async remove(kind: string, items: readonly string[]): Promise<void> {
      await planned(pool, "take-back", [service, kind, items])`
        delete from service_set_aside where service = $1 and kind = $2 and item = any ($3::text[])`;
    },

    async figures(now: number): Promise<SetAsideFigures> {
      const rows = await prepared<SetAsideFigures>(pool, "set-aside-figures", [service, now])`
        select (count(*) filter (where fault <> 'none'))::int4 as "failedCount", (count(*) filter (where fault = 'none'))::int4 as "waitingCount",
          coalesce(bool_or(fault = 'platform'), false) as "hasPlatformFailed",
          ${exactEpoch("min(next_try_at) filter (where next_try_at > to_timestamp($2))")} as "nextTryAt"
        from service_set_aside where service = $1`;
      return rows[0]!;
    },

    /** Of what failed. */
    async oldest(limit: number): Promise<SetAside[]> {
      return await prepared<SetAside>(pool, "oldest-set-aside", [service, limit])`
        select ${columns} from service_set_aside where service = $1 and fault <> 'none' order by first_at, kind, item limit $2`;
    },

    /** What was due for long and did not come up any more: there is nothing left to be done on it. */
    async forgetDueBefore(before: number): Promise<void> {
      await planned(pool, "forget-set-aside", [service, before])`
        delete from service_set_aside where service = $1 and next_try_at < to_timestamp($2)`;
    },
  };
}
