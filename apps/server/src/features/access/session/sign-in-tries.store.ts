import type { Pool, PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";

/** So many wrong tries in a row, which come back one by one in `burstSeconds`; and so many a day, which come back within a day. */
export interface Allowance {
  name: string;
  burst: number;
  burstSeconds: number;
  total: number;
}

interface Levels {
  name: string;
  burst: number;
  total: number;
}

const daySeconds = 86_400;

/** Wrong tries by who guesses; what was counted fades away with time, and nothing else takes it back. */
export function createSignInTriesStore(pool: Pool) {
  return {
    /** Counts one try in every allowance, or in none: then the seconds until all of them have room. */
    async count(allowances: readonly Allowance[], now: number): Promise<number | undefined> {
      return await inTransaction(pool, async (client) => {
        const levels = await lockLevels(client, allowances, now);
        const waits = allowances.map((allowance) => secondsUntilRoom(allowance, levels.get(allowance.name)!));
        const longest = Math.max(...waits);
        if (longest > 0) return longest;
        for (const level of levels.values()) {
          level.burst++;
          level.total++;
        }
        await writeLevels(client, [...levels.values()], now);
        return undefined;
      });
    },

    /** A try that was no wrong one. */
    async giveBack(allowances: readonly Allowance[]): Promise<void> {
      await prepared(pool, "give-back-sign-in-try", [allowances.map(({ name }) => name)])`
        with own as (select name from sign_in_tries where name = any($1) order by name for update)
        update sign_in_tries t set burst = greatest(0, burst - 1), total = greatest(0, total - 1) from own where t.name = own.name`;
    },
  };
}
export type SignInTriesStore = ReturnType<typeof createSignInTriesStore>;

/** Locked in the order of their names, so that two tries wait for each other and never both. */
async function lockLevels(client: PoolClient, allowances: readonly Allowance[], now: number): Promise<Map<string, Levels>> {
  const names = allowances.map(({ name }) => name);
  await prepared(client, "begin-sign-in-tries", [names, now])`
    insert into sign_in_tries select name, 0, 0, to_timestamp($2) from unnest($1::text[]) as name order by name
    on conflict do nothing`;
  const rows = await prepared<Levels & { age: number }>(client, "lock-sign-in-tries", [names, now])`
    select name, burst, total, greatest(0, $2 - extract(epoch from counted_at))::float8 as age
    from sign_in_tries where name = any($1) order by name for update`;
  return new Map(
    rows.map(({ name, burst, total, age }) => {
      const allowance = allowances.find((each) => each.name === name)!;
      const faded = (level: number, most: number, seconds: number) => Math.max(0, level - (age * most) / seconds);
      return [
        name,
        { name, burst: faded(burst, allowance.burst, allowance.burstSeconds), total: faded(total, allowance.total, daySeconds) },
      ];
    }),
  );
}

async function writeLevels(client: PoolClient, levels: readonly Levels[], now: number): Promise<void> {
  await prepared(client, "write-sign-in-tries", [
    levels.map(({ name }) => name),
    levels.map(({ burst }) => burst),
    levels.map(({ total }) => total),
    now,
  ])`
    update sign_in_tries t set burst = l.burst, total = l.total, counted_at = to_timestamp($4)
    from unnest($1::text[], $2::float8[], $3::float8[]) as l (name, burst, total) where t.name = l.name`;
}

// Rounding must not keep out someone who waited as long as they were asked to.
const nearly = 1e-6;

function secondsUntilRoom(allowance: Allowance, level: Levels): number {
  const until = (filled: number, most: number, seconds: number) => Math.max(0, ((filled + 1 - most - nearly) * seconds) / most);
  return Math.max(until(level.burst, allowance.burst, allowance.burstSeconds), until(level.total, allowance.total, daySeconds));
}
