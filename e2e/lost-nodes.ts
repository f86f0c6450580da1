import type { Pool } from "@busbar/server/db/pool.ts";

/** Two nodes of a facility that were lost together, with what was tried since. No simulator moves them. */
export const lostNodes = { node: "92001", other: "92002", facility: "Dark Street Works", location: "Lost Pump 1" } as const;

export async function addLostNodes(database: Pool): Promise<void> {
  // The past of this world was written while nothing listened: no verdict need wait for nodes to find their way back.
  await database.query("delete from ingest_presence where alive_at < (select max(alive_at) from ingest_presence)");
  await database.query(
    `with c as (insert into customer (code, name) values ('darkco', 'Dark Street Testing') returning id),
       f as (insert into facility (customer_id, name, site_name) select id, $1, 'Dark Street' from c returning id),
       l as (insert into location (facility_id, name, timezone) select f.id, name, 'America/Chicago' from f, unnest(array[$2, 'Lost Pump 2']) name returning id, name),
       n as (insert into node (serial_number, current_deployment_status, new_deployment_status)
         select s, 'Deployed', 'Deployed' from unnest(array[92001, 92002]) s returning serial_number)
     insert into node_assignment (serial_number, location_id, slot)
       select n.serial_number, l.id, 1 from n join l on (n.serial_number = 92001) = (l.name = $2)`,
    [lostNodes.facility, lostNodes.location],
  );
  await database.query(
    `update node_live set connection_changed_at = now() - interval '12 minutes', last_seen_at = now() - interval '12 minutes',
       changed_xid = pg_current_xact_id() where serial_number in (92001, 92002)`,
  );
  await database.query(
    `insert into activity (ts, actor_type, actor, action, object, description) select now() - ago, 'Node', s, a, s, d
     from unnest(array['92001', '92002']) s cross join lateral (values (interval '3 hours', 'NODE_BIRTH', 'connected'), (interval '12 minutes', 'NODE_DEATH', 'lost'),
       (interval '11 minutes', 'NODE_REBIRTH_REQUESTED', 'Node ' || s || ' was asked for its birth: silent')) v (ago, a, d)`,
  );
  await database.query(
    `insert into location_note (location_id, ts, note) select location_id, now() - interval '5 minutes', 'Called the site: the switch has no power'
     from node_assignment where serial_number = 92001`,
  );
}
