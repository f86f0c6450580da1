import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";

/** Power of the last 30 days and of today so far, as the machines' sizes make it likely: what a running platform would have summed up. */
export async function seedDemand(client: PoolClient): Promise<void> {
  await planned(client, "demo-power")`create temporary table demo_power on commit drop as
    select n.serial_number, l.timezone,
      case when l.np_hp > 0 then l.np_hp * 0.7457 / 0.93 else sqrt(3) * l.np_voltage * l.np_current * 0.0009 end * 0.65 as kw
    from node n join node_assignment a using (serial_number) join location l on l.id = a.location_id
    where n.type in ('Node', 'subNode') and a.slot = 1 and n.current_deployment_status = 'Deployed'`;
  // A share from -1 to 1 that is the same for everyone.
  const swing = (seed: string) => `(('x' || substr(md5(${seed}), 1, 8))::bit(32)::bigint / 2147483648.0 - 1)`;
  await planned(client, "demo-demand-days")`
    insert into node_demand_day (serial_number, day, average_kw, peak_kw, covered_seconds, length_seconds)
    select serial_number, d.day, kw * (1 + 0.12 * ${swing("serial_number || d.day::text")}), kw * (1.3 + 0.1 * ${swing("d.day::text || serial_number")}),
      86400 - 600 * abs(${swing("serial_number || ' ' || d.day")}), 86400
    from demo_power p cross join lateral (select (now() at time zone p.timezone)::date - n as day from generate_series(1, 30) n) d`;
  await planned(client, "demo-demand-blocks")`insert into node_demand_block (serial_number, block_at, kw_seconds, covered_seconds, last_at)
    select serial_number, b.at, kw * (1 + 0.2 * ${swing("serial_number || b.at::text")}) * 900, 900, b.at + interval '15 minutes'
    from demo_power p cross join lateral generate_series(date_trunc('day', now() at time zone p.timezone) at time zone p.timezone,
      now() - interval '30 minutes', interval '15 minutes') b(at)`;
  await planned(client, "drop-demo-power")`drop table demo_power`;
}
