import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

const perHour = 3_600;
/** Between two events of the fleet. */
const everySeconds = 30;
const picturedEvents = 50_000;

/** Recorded events by time, place, kind and size, beside the newest ones of all. */
export async function benchEvents(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const events = isShort ? 2_000 : 1_000_000;
  const calls = isShort ? 3 : 200;
  say(`${formatCount(events)} events`);
  const bench = await openCallBench(context, { nodes, seed: (pool) => insertEvents(pool, nodes, events) });
  const report = createReport("events", `events among ${formatCount(events)} of ${formatCount(nodes)} nodes, from request to answer`);
  const dayOf = (index: number) => {
    const seconds = Date.now() / 1000 - everySeconds * events * ((index * 0.618_034) % 1);
    return new Date(Math.floor(seconds / perHour) * perHour * 1000).toISOString().slice(0, 10);
  };
  const serialOf = (index: number) => 10_000 + ((index * 7_919) % nodes);
  for (const [name, queryOf] of [
    ["newest", () => ""],
    ["of one node", (index) => `node=${serialOf(index)}`],
    ["of one facility", (index) => `facility=${1 + (index % Math.ceil(nodes / 25))}`],
    ["of one customer, alarms", (index) => `customer=${1 + (index % Math.ceil(nodes / 250))}&kind=alarm`],
    ["words of one machine, last night", (index) => `text=${encodeURIComponent(`pump ${index}`)}&span=lastNight`],
    ["words that many places have", () => "text=mill"],
    ["words of many places, a rare kind and size", () => "text=mill&kind=alarm&amperes=30000"],
    ["one local day", (index) => `from=${dayOf(index)}&to=${dayOf(index)}`],
    ["one in 10,000 by size", () => "amperes=40000"],
    ["not readable", () => "status=failed"],
  ] as [string, (index: number) => string][]) {
    await bench.call(name, calls, (index) => `/api/events?${queryOf(index)}`);
  }
  bench.writeTo(report, "events", "newest");
  report.notes.push(`The newest ${formatCount(picturedEvents)} have a picture.`);
  return report;
}

/** Of a hundred 20 are trips, 2 alarms; one in 1,000 could not be read, one in 10,000 is larger than 40 kA. */
async function insertEvents(pool: Pool, nodes: number, count: number): Promise<void> {
  // Placed by one join instead of each by itself: it is not the writing that is measured.
  await pool.query("alter table recorded_event disable trigger user");
  await pool.query(
    `insert into recorded_event (serial_number, ts, number, status, kind, words, duration_seconds, largest_current, largest_current_phase,
       lowest_voltage, lowest_voltage_phase, picture, placement_id, location_id, facility_id, customer_id)
     select p.serial_number, date_trunc('second', now()) - ($2::int - n) * interval '${everySeconds} s', 1,
       case when n % 1000 = 0 then 'failed' else 'read' end,
       case when n % 100 < 20 then 'trip' when n % 100 < 22 then 'alarm' else 'event' end, 'AG T, TRIP 50G 51',
       0.25, case when n % 10000 = 7 then 41000 else (n * 31) % 20000 end, 'A', (n * 17) % 480, 'B-C',
       case when n > $2 - ${picturedEvents} then decode(repeat(md5(n::text), 90), 'hex') end, p.id, l.id, f.id, f.customer_id
     from generate_series(1, $2::int) n join node_placement p on p.serial_number = 10000 + (n * 7919::int8) % $1
       join location l on l.id = p.location_id join facility f on f.id = l.facility_id`,
    [nodes, count],
  );
  await pool.query("alter table recorded_event enable trigger user");
  await pool.query("analyze recorded_event");
}
