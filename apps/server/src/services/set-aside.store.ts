import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";

/** An item that a service cannot do its work on. Times in epoch seconds. */
export interface SetAside {
  /** Such as `node`. */
  kind: string;
  item: string;
  reason: string;
  tries: number;
  nextTryAt: number;
}

const columns = `kind, item, reason, tries, ${exactEpoch("next_try_at")} as "nextTryAt"`;

export function createSetAsideStore(pool: Pool, service: string) {
  return {
    async list(): Promise<SetAside[]> {
      const { rows } = await pool.query<SetAside>({
        name: "list-set-aside",
        text: `select ${columns} from service_set_aside where service = $1 order by first_at, kind, item`,
        values: [service],
      });
      return rows;
    },

    async put({ kind, item, reason, tries, nextTryAt }: SetAside, now: number): Promise<void> {
      await pool.query(
        `/* put-aside */ insert into service_set_aside (service, kind, item, reason, tries, first_at, last_at, next_try_at)
         values ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($6), to_timestamp($7))
         on conflict (service, kind, item) do update
           set reason = excluded.reason, tries = excluded.tries, last_at = excluded.last_at, next_try_at = excluded.next_try_at`,
        [service, kind, item, reason, tries, now, nextTryAt],
      );
    },

    async remove(kind: string, item: string): Promise<void> {
      await pool.query("/* take-back */ delete from service_set_aside where service = $1 and kind = $2 and item = $3", [
        service,
        kind,
        item,
      ]);
    },

    /** What was due for long and did not come up any more: there is nothing left to be done on it. */
    async forgetDueBefore(before: number): Promise<void> {
      await pool.query("/* forget-set-aside */ delete from service_set_aside where service = $1 and next_try_at < to_timestamp($2)", [
        service,
        before,
      ]);
    },
  };
}
