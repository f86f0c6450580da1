import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";

/** Messages that were sent or could not be: newest last, times counted back from `now`. */
export async function insertFeeds(client: PoolClient, now: number): Promise<void> {
  await planned(client, "demo-notifications", [now])`
    insert into notification (kind, subject, recipients_to, recipients_bcc, body, created_at, sent_at, sent_success, sent_failed_reason, message_id)
    select k.kind, '[DEMO] ' || k.words || ': ' || l.name || ', ' || f.name || ' (' || a.serial_number || ')',
      case when p.n % 6 = 5 then '{}' else array['operations@' || c.email_domains[1]] end,
      case when p.n % 6 = 5 then '{}' else '{watch@busbar.example}'::text[] end,
      k.words || ' at ' || l.name || ', ' || f.name || E'.\\n\\nNode ' || a.serial_number || E', ' || l.timezone || E'.\\nThis message was written for the demo world.\\n',
      to_timestamp($1) - (15 - p.n) * interval '3 hours', case when p.n % 6 <> 5 then to_timestamp($1) - (15 - p.n) * interval '3 hours' end,
      p.n % 6 <> 5, case when p.n % 6 = 5 then 'No recipients' end, '<demo-' || p.n || '@busbar.example>'
    from generate_series(1, 14) p(n)
    join lateral (select * from (values (0, 'CONNECTIVITY_LOST', 'Connectivity lost'), (1, 'CONNECTIVITY_RESTORED', 'Connectivity restored'),
      (2, 'FAULT_voltageImbalance', 'Voltage imbalance'), (3, 'MISSED_DATA', 'Missed data')) v(place, kind, words) where v.place = p.n % 4) k on true
    join lateral (select * from node_assignment where slot = 1 order by serial_number offset p.n limit 1) a on true
    join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id order by p.n`;
}
