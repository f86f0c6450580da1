import { ensureScalarPartitions } from "@busbar/server/db/scalar-partitions.ts";
import { ensureMinutePartitions, ensureQuarterPartitions } from "@busbar/server/db/trend-partitions.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { emptyGrid } from "@busbar/server/features/telemetry/trends/grid.ts";
import {
  daysOfMonth,
  minutesOfHour,
  packPoints,
  quartersOfDay,
  type PackedShape,
} from "@busbar/server/features/telemetry/trends/packed-points.ts";
import { numberOf } from "@busbar/server/features/telemetry/trends/stored-quantities.ts";
import { monthOfDay } from "@busbar/server/features/telemetry/trends/trend-aggregates.store.ts";
import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { mostTrendSeries } from "@busbar/contract/telemetry/trends.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount, formatMegabytes, formatMs } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { serialOf } from "../lib/seed-fleet.ts";
import { measureExplorer } from "./measure-explorer.ts";

const daySeconds = 86_400;
const series = 6;
const points = 1_500;
const intervalSeconds = 10;
/** Rows of so many kinds are made; each node's hours and days take them in turn. */
const variants = 32;
const ofMinutes = ["current"];
const ofSums = ["kwh", "runningSeconds", "startCount"];
const ofQuarters = ["current", ...ofSums];

/** Six series of 1,500 points over ranges from an hour to a year, beside plain SQL over the scalars of one machine. */
export async function benchTrends(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const kept = isShort ? 20 : 500;
  const [minuteDays, quarterDays, rawDays] = isShort ? [8, 32, 1] : [90, 365, 7];
  const calls = isShort ? 5 : 60;
  const today = Math.floor(Date.now() / 1000 / daySeconds);
  say(`${formatCount(nodes)} nodes; ${formatCount(kept)} with ${minuteDays} days of minutes and ${quarterDays} of quarters of an hour`);
  const bench = await openCallBench(context, {
    nodes,
    seed: async (pool) => {
      await pool.query("delete from trend_fill");
      await seedScalars(pool, (today - rawDays) * daySeconds, (today + 1) * daySeconds);
      await seedRows(pool, {
        table: "trend_minute",
        time: "hour",
        ids: ofMinutes,
        shape: minutesOfHour,
        step: 60,
        kept,
        first: (today - minuteDays) * 24,
        end: today * 24,
      });
      await seedRows(pool, {
        table: "trend_quarter",
        time: "day",
        ids: ofQuarters,
        shape: quartersOfDay,
        step: 900,
        kept,
        first: today - quarterDays,
        end: today,
      });
      await seedMonths(pool, kept, today - quarterDays);
    },
  });
  const report = createReport("trends", `${series} series of ${formatCount(points)} points over a range, from request to answer`);
  const end = today * daySeconds;
  const pathOf = (seconds: number, count: number) => (index: number) => {
    const names = Array.from({ length: count }, (_, one) => `${serialOf((index * count + one) % kept)}:current`);
    return `/api/trends?series=${names.join()}&from=${end - seconds}&to=${end}&points=${points}`;
  };
  await bench.time("plain SQL, one series of a day", Math.max(3, calls / 10), () =>
    bench.pool.query(
      `select floor(extract(epoch from ts) / 60) as minute, min(current1), avg((current1 + current2 + current3) / 3), max(current1)
       from scalar where serial_number = $1 and ts >= to_timestamp($2) and ts < to_timestamp($3) group by 1 order by 1`,
      [serialOf(0), end - daySeconds, end],
    ),
  );
  await bench.call("one series of the same day", calls, pathOf(daySeconds, 1));
  for (const [name, days] of [
    ["an hour", 1 / 24],
    ["a day", 1],
    ["a week", 7],
    ["a month", 30],
    ["a quarter of a year", 90],
    ["a year", 365],
  ] as const)
    if (days <= quarterDays) await bench.call(name, calls, pathOf(days * daySeconds, series));
  bench.writeTo(report, "range", "plain SQL, one series of a day");
  report.tables.push({
    columns: ["table", "rows", "bytes a row", "MB"],
    rows: await Promise.all(["trend_minute", "trend_quarter"].map((table) => sizeOf(bench.pool, table))),
  });
  const explored = await measureExplorer(context, {
    consoleUrl: bench.addressOf(""),
    token: bench.token,
    serialNumber: serialOf(0),
    search: `series=${Array.from({ length: mostTrendSeries }, (_, one) => `${serialOf(one)}:current`).join()}&range=${isShort ? 30 : 365}d`,
    openings: isShort ? 2 : 12,
    moves: isShort ? 5 : 240,
  });
  const { firstPaintMs, paintMs, dragFramesPerSecond, wheelFramesPerSecond, gapP95Ms, heapBytes, elements, problems } = explored;
  report.tables.push({
    columns: ["explorer", "opened, first ms", "opened, p50 ms", "drag, frames/s", "wheel, frames/s", "gap p95 ms", "heap MB", "DOM nodes"],
    rows: [
      [
        `${mostTrendSeries} series of ${isShort ? "30 days" : "a year"}`,
        formatMs(firstPaintMs),
        formatMs(paintMs),
        dragFramesPerSecond.toFixed(1),
        wheelFramesPerSecond.toFixed(1),
        formatMs(gapP95Ms),
        formatMegabytes(heapBytes),
        formatCount(elements),
      ],
    ],
  });
  Object.assign(report.facts, { firstPaintMs, paintMs, dragFramesPerSecond, wheelFramesPerSecond, heapBytes });
  report.notes.push("Opened: from the press on the link of a node's page to the frame with the lines of its week.");
  expectNone(report, `errors in the explorer (${problems[0] ?? ""})`, problems.length);
  return report;
}

async function sizeOf(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ bytes: number; count: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes, (select count(*) from ${table})::float8 as count
     from pg_inherits where inhparent = $1::regclass`,
    [table],
  );
  const { bytes, count } = rows[0]!;
  return [table, formatCount(count), formatCount(Math.round(bytes / Math.max(1, count))), formatCount(Math.round(bytes / 1e6))];
}

/** Of the first node, and of the last day that is open of the others that are asked for: nothing else is read from them. */
async function seedScalars(pool: Pool, from: number, to: number): Promise<void> {
  await ensureScalarPartitions(pool, from, to);
  await pool.query(
    `insert into scalar (serial_number, ts, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp(t), 1, 60, 40 + 10 * random(), 40 + 10 * random(), 40 + 10 * random(), 480, 478, 479
     from generate_series($2::int8, $3::int8, ${intervalSeconds}) t`,
    [serialOf(0), from, to],
  );
}

interface Rows {
  table: string;
  time: string;
  ids: readonly string[];
  shape: PackedShape;
  step: number;
  kept: number;
  first: number;
  end: number;
}

async function seedRows(pool: Pool, { table, time, ids, shape, step, kept, first, end }: Rows): Promise<void> {
  const span = Array.from({ length: end - first }, (_, index) => first + index);
  await (time === "hour" ? ensureMinutePartitions(pool, span) : ensureQuarterPartitions(pool, span));
  const packed = Array.from({ length: variants }, (_, variant) => packPoints(sampleGrid(variant, shape.count, step), 0, shape));
  for (const id of ids)
    await pool.query(
      `insert into ${table} (serial_number, ${time}, quantity, points)
       select ${serialOf(0)} + n, t, $1, ($2::bytea[])[1 + (n * 7 + t) % ${variants}] from generate_series($3::int4, $4::int4) t, generate_series(0, $5::int4) n`,
      [numberOf(quantityOf(id)!), packed, first, end - 1, kept - 1],
    );
}

/** Days of the months that are over: what energy and time running of more than a month come from. */
async function seedMonths(pool: Pool, kept: number, firstDay: number): Promise<void> {
  const packed = Array.from({ length: variants }, (_, variant) =>
    packPoints(sampleGrid(variant, daysOfMonth.count, daySeconds), 0, daysOfMonth),
  );
  for (const id of ["current", ...ofSums])
    await pool.query(
      `insert into trend_day (serial_number, month, location_id, quantity, points)
       select a.serial_number, m, a.location_id, $1, ($2::bytea[])[1 + (a.serial_number * 7 + m) % ${variants}]
       from node_assignment a, trend_state s, generate_series($3::int4, s.queued_month) m where a.serial_number < $4`,
      [numberOf(quantityOf(id)!), packed, monthOfDay(firstDay), serialOf(kept)],
    );
}

/** A machine under load that changes a little all the time. */
function sampleGrid(variant: number, count: number, step: number) {
  const grid = emptyGrid(0, count * step, step);
  for (let index = 0; index < count; index++) {
    const noise = (Math.imul(variant * 97 + index, 2_654_435_761) >>> 8) / 2 ** 24;
    grid.covered[index] = step;
    grid.mean[index] = Math.fround(40 + 10 * noise);
    grid.minimum[index] = Math.fround(38 + 9 * noise);
    grid.maximum[index] = Math.fround(43 + 11 * noise);
  }
  return grid;
}
