import type { CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import type { DataFileName } from "@busbar/contract/files/data-file-name.ts";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared, type Db } from "#db/statement.ts";
import { monthPlace, quarterOf, quarterSeconds, quartersOf } from "#lib/quarters.ts";

/** A quarter of an hour of which data came. */
export interface CoveredQuarter {
  kind: CoverageKind;
  serial: number;
  quarter: number;
  /** All of it, not a part. */
  isWhole: boolean;
  isLate: boolean;
  isBackfilled: boolean;
}

export interface ReceivedFile {
  parsed: DataFileName;
  receivedAtMs: number;
}

/** A file comes some minutes after the interval that it covers: one that comes later than so many intervals after its begin is late. */
export const lateIntervals = 2.5;
/** What comes so long after its interval was history by then. */
export const backfillSeconds = 86_400;

const zero = "0::bit(2976)";
const joined = (column: string, added: string) => `${column} = coalesce(c.${column} | (${added}), ${added}, c.${column})`;

/** Inside the transaction that stores what came. Writing it again changes nothing; what came in time and comes again is not late. */
export async function coverQuarters(db: Db, covered: readonly CoveredQuarter[]): Promise<void> {
  const places = covered.map(({ quarter }) => monthPlace(quarter));
  // One order for everyone: transactions that meet on rows wait for each other, they do not deadlock.
  await prepared(db, "cover-quarters", [
    covered.map(({ kind }) => kind),
    places.map(({ month }) => month),
    covered.map(({ serial }) => serial),
    places.map(({ index }) => index),
    covered.map(({ isWhole }) => isWhole),
    covered.map(({ isLate }) => isLate),
    covered.map(({ isBackfilled }) => isBackfilled),
  ])`
    insert into coverage as c (kind, month, serial_number, received, partly, late, backfilled)
    select k, m, s, coalesce(bit_or(b) filter (where w), ${zero}), bit_or(b) filter (where not w), bit_or(b) filter (where l), bit_or(b) filter (where f)
    from (select k, m, s, set_bit(${zero}, i, 1) as b, w, l, f from unnest($1::text[], $2::date[], $3::int4[], $4::int4[], $5::bool[], $6::bool[], $7::bool[])
      as u (k, m, s, i, w, l, f)) each group by k, m, s order by k, m, s
    on conflict (kind, month, serial_number) do update
      set received = c.received | excluded.received, ${joined("partly", "excluded.partly")},
        ${joined("late", "excluded.late & ~c.received")}, ${joined("backfilled", "excluded.backfilled & ~c.received")}`;
}

const isWatched = ({ kind, interval }: DataFileName) => (kind === "D" || kind === "S") && interval > 0;

/** Inside the transaction that stores the files, after it: files that came for the first time. */
export async function coverFiles(db: Db, files: readonly ReceivedFile[]): Promise<void> {
  // What a clock that is ahead has named is no data of that time; extraction says so.
  const watched = files.filter(({ parsed, receivedAtMs }) => isWatched(parsed) && receivedAtMs / 1000 >= parsed.timestamp);
  if (watched.length === 0) return;
  const isComplete = await completeQuarters(db, watched);
  const isAsked = await askedFiles(db, watched.filter(isLateFile));
  await coverQuarters(
    db,
    watched.flatMap((file): CoveredQuarter[] => {
      const { kind, serial, timestamp, interval } = file.parsed;
      const isBackfilled = ageOf(file) - interval > backfillSeconds || isAsked(file);
      const isLate = isLateFile(file) && !isBackfilled;
      return quartersOf(timestamp, interval).map((quarter) => ({
        kind: kind as "D" | "S",
        serial,
        quarter,
        isWhole: isComplete(file, quarter),
        isLate,
        isBackfilled,
      }));
    }),
  );
}

const ageOf = ({ parsed, receivedAtMs }: ReceivedFile) => receivedAtMs / 1000 - parsed.timestamp;
const isLateFile = (file: ReceivedFile) => ageOf(file) > lateIntervals * file.parsed.interval;

/** Of nodes with several files in a quarter of an hour: whether all of them are there now. */
async function completeQuarters(db: Db, files: readonly ReceivedFile[]) {
  const short = files.filter(({ parsed }) => parsed.interval < quarterSeconds);
  const keyOf = (serial: number, kind: string, quarter: number) => `${serial} ${kind} ${quarter}`;
  const incomplete = new Set<string>();
  if (short.length > 0) {
    const rows = await prepared<{ serial: number; kind: string; quarter: number }>(db, "incomplete-quarters", [
      short.map(({ parsed }) => parsed.serial),
      short.map(({ parsed }) => parsed.kind),
      short.map(({ parsed }) => quarterOf(parsed.timestamp)),
      short.map(({ parsed }) => parsed.interval),
    ])`
      select s as serial, k as kind, q as quarter from (select distinct * from unnest($1::int4[], $2::text[], $3::int4[], $4::int4[]) as u (s, k, q, i)) each
      where (select count(*) from data_file f where f.serial_number = s and f.kind = k
        and f.ts >= to_timestamp(q * ${quarterSeconds}::float8) and f.ts < to_timestamp((q + 1) * ${quarterSeconds}::float8)) < ${quarterSeconds} / i`;
    for (const { serial, kind, quarter } of rows) incomplete.add(keyOf(serial, kind, quarter));
  }
  return ({ parsed }: ReceivedFile, quarter: number) => !incomplete.has(keyOf(parsed.serial, parsed.kind, quarter));
}

/** Late files that a person asked for. */
async function askedFiles(db: Db, files: readonly ReceivedFile[]) {
  if (files.length === 0) return () => false;
  const rows = await prepared<{ serial: number; kind: string; from: number; to: number }>(db, "asks-for-files", [
    files.map(({ parsed }) => parsed.serial),
  ])`
    select serial_number as serial, kind, ${exactEpoch("from_at")} as from, ${exactEpoch("to_at")} as to from file_ask where serial_number = any($1::int4[])`;
  return ({ parsed: { serial, kind, timestamp } }: ReceivedFile) =>
    rows.some((ask) => ask.serial === serial && ask.kind === kind && timestamp >= ask.from && timestamp < ask.to);
}

export interface ReadFile {
  serial: number;
  kind: string;
  timestamp: number;
  interval: number;
  hasFailed: boolean;
}

/** Inside the transaction of extraction: what failed, and what did not fail this time. */
export async function coverExtraction(db: Db, files: readonly ReadFile[]): Promise<void> {
  const read = files
    .filter(({ kind, interval }) => (kind === "D" || kind === "S") && interval > 0)
    .flatMap((file) => quartersOf(file.timestamp, file.interval).map((quarter) => ({ ...file, ...monthPlace(quarter) })));
  if (read.length === 0) return;
  await prepared(db, "cover-extraction", [
    read.map(({ kind }) => kind),
    read.map(({ month }) => month),
    read.map(({ serial }) => serial),
    read.map(({ index }) => index),
    read.map(({ hasFailed }) => hasFailed),
  ])`
    with each as (
      select k, m, s, coalesce(bit_or(b) filter (where f), ${zero}) as failed, bit_or(b) as read
      from (select k, m, s, set_bit(${zero}, i, 1) as b, f from unnest($1::text[], $2::date[], $3::int4[], $4::int4[], $5::bool[]) as u (k, m, s, i, f)) one
      group by k, m, s),
    held as (select c.kind, c.month, c.serial_number from coverage c join each on c.kind = k and c.month = m and c.serial_number = s
      where c.failed is not null or each.failed <> ${zero} order by 1, 2, 3 for no key update of c)
    update coverage c set failed = nullif(coalesce(c.failed, ${zero}) & ~each.read | each.failed, ${zero})
    from each join held on held.kind = k and held.month = m and held.serial_number = s
    where c.kind = k and c.month = m and c.serial_number = s`;
}
