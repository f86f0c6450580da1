import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import { numberArray } from "#lib/number-array.ts";

export interface TrendMarkRow {
  serial: number;
  /** Epoch seconds. */
  at: number;
}

const hourSeconds = 3600;
const daySeconds = 86_400;
/** How far back from a scalar the one before it counts: whether a machine began to run. */
export const lookBackSeconds = 300;

async function mark(client: PoolClient, kind: "h" | "d", rows: readonly { serial: number; time: number }[]): Promise<void> {
  await prepared(client, "mark-trends", [
    kind,
    numberArray("int4", rows, ({ serial }) => serial),
    numberArray("int4", rows, ({ time }) => time),
  ])`
    select mark_trends($1, $2::int4[], $3::int4[])`;
}

/**
 * Of scalars that are added in the caller's transaction: their hours are aggregated anew where they are closed already. Comes before the
 * rows are added.
 */
export async function markScalarTrends(client: PoolClient, rows: Iterable<TrendMarkRow>): Promise<void> {
  const hours: { serial: number; time: number }[] = [];
  // There may be thousands of scalars in a batch, nearly all of the same hour of their node.
  const lastOf = new Map<number, number>();
  const add = (serial: number, time: number) => {
    if (lastOf.get(serial) === time) return;
    lastOf.set(serial, time);
    hours.push({ serial, time });
  };
  for (const { serial, at } of rows) {
    add(serial, Math.floor(at / hourSeconds));
    add(serial, Math.floor((at + lookBackSeconds) / hourSeconds));
  }
  await mark(client, "h", hours);
}

/** The same of data points, by days. */
export async function markDataPointTrends(client: PoolClient, rows: readonly TrendMarkRow[]): Promise<void> {
  await mark(
    client,
    "d",
    rows.map(({ serial, at }) => ({ serial, time: Math.floor(at / daySeconds) })),
  );
}
