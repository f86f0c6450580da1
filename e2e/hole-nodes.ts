import type { Pool } from "@busbar/server/db/pool.ts";

/** Simulated nodes that sent something three hours ago and nothing until the files of the past begin: they send it when they are asked. */
export const holeNodes = { mouse: "10102", keyboard: "10103" } as const;

export async function addHoles(database: Pool): Promise<void> {
  await database.query(
    `insert into coverage (kind, month, serial_number, received)
     select 'D', date_trunc('month', t), s, set_bit(0::bit(2976), (extract(epoch from t - date_trunc('month', t)) / 900)::int4, 1)
     from (select date_bin('15 minutes', (now() - interval '3 hours') at time zone 'UTC', '2001-01-01') as t) past, unnest($1::int4[]) s
     on conflict (kind, month, serial_number) do update set received = coverage.received | excluded.received`,
    [Object.values(holeNodes)],
  );
}
