import { measuringNodeTypes } from "@busbar/contract/values/option-lists.ts";
import type { Pool } from "pg";
import { ChangeLine, ConfigChangeLine, NodeOverview, NoteLine } from "@busbar/contract/directory/node-overview.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList, without } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";
import { listOfNode, placeOfNode } from "#shared/node-place-sql.ts";

/** Enough to see what happened lately; what is older is on the screens that list it. */
const longest = 20;

/** What was measured, and where its words come from. */
export interface Measured {
  kind: string;
  value: number | null;
  limit: number | null;
  /** Of a location's harmonic signature. */
  name: string | null;
}
type Line = "openAlarms" | "events";
type Figured<Each extends { measured: unknown }> = Omit<Each, "measured"> & Measured;
export type NodeOverviewRow = Omit<NodeOverview, "tasks" | Line> & {
  [Name in Line]: Figured<NodeOverview[Name][number]>[];
};

/** A list in the row itself, so that the page is one statement. */
const list = (rows: string) => `(select coalesce(json_agg(r), '[]') from (${rows}) r)`;

const openAlarms = `select a.kind, ${epochSeconds("a.raised_at")} as "raisedTimestamp", a.value, a.threshold as "limit", (
    select e.body ->> 'name' from node_event e where e.serial_number = a.serial_number and e.ts = a.raised_at and e.kind = a.kind) as name
  from alarm a where a.serial_number = n.serial_number and a.cleared_at is null order by a.raised_at desc, a.kind`;

const figure = (name: string) =>
  `case jsonb_typeof(e.body -> '${name}') when 'number' then (e.body ->> '${name}')::float8 end as "${name}"`;
const events = `select ${epochSeconds("e.ts")} as timestamp, e.kind, e.body ->> 'phase' as phase, ${figure("value")}, ${figure("limit")},
    e.body ->> 'name' as name, e.body ->> 'fileName' as "fileName"
  from node_event e where e.serial_number = n.serial_number order by e.ts desc, e.kind limit ${longest}`;

const neighbourAt = (condition: string, order: string) =>
  `(select q.serial_number::text from node_placement q where q.location_id = p.location_id and q.slot = p.slot
      and q.serial_number <> p.serial_number and ${condition} order by ${order} limit 1)`;

const places = `select s.id as "locationId", p.customer_name as "customerName", p.facility_name as "facilityName", p.location_name as "locationName",
    p.slot = 2 as "isSecondary", ${epochSeconds("p.started_at")} as "fromTimestamp", ${epochSeconds("p.ended_at")} as "toTimestamp",
    ${neighbourAt("q.started_at < p.started_at", "q.started_at desc, q.id desc")} as "nodeSerialNumberBefore",
    ${neighbourAt("q.started_at > p.started_at", "q.started_at, q.id")} as "nodeSerialNumberAfter"
  from node_placement p left join location s on s.id = p.location_id where p.serial_number = n.serial_number order by p.id desc limit ${longest}`;

const configChanges = `select ${selectList(ConfigChangeLine, "g", { timestamp: epochSeconds("g.ts") })}
  from audit_log g where g.serial_number = n.serial_number order by g.id desc limit ${longest}`;

const notes = `select ${selectList(NoteLine, "t", { timestamp: epochSeconds("t.ts") })}
  from location_note t where t.location_id = l.id and not t.is_archived order by t.ts desc, t.id desc limit ${longest}`;

/**
 * Of the node and of its location, and the swap by which it left or came to another one; values of its configuration and its verdicts are listed by
 * themselves.
 */
const changes = `select ${selectList(ChangeLine, "c", { timestamp: epochSeconds("c.ts") })} from (
    select x.* from unnest(array['node/' || n.serial_number, 'location/' || l.id]) as o (object)
    cross join lateral (select id, ts, actor_type, actor, description from activity
      where object = o.object and object <> '' and action not in ('PATCH_NODE_CONFIG', 'NODE_VERDICT_CHANGED') order by ts desc, id desc limit ${longest}) x
    union all
    select a.id, a.ts, a.actor_type, a.actor, a.description
    from node_swap s join activity a on a.object = 'location/' || s.location_id and a.action = 'SWAP_NODE' and a.ts = s.swapped_at
    where n.serial_number in (s.old_serial_number, s.new_serial_number) and s.location_id is distinct from l.id
  ) c order by c.ts desc, c.id desc limit ${longest}`;

const requests = `select ${epochSeconds("q.ts")} as timestamp, q.description from activity q
  where q.actor = n.serial_number::text and q.action = 'NODE_REBIRTH_REQUESTED' order by q.ts desc, q.id desc limit ${longest}`;

const othersAtFacility = `(select json_build_object('total', count(*)::int4, 'connected', (count(*) filter (where w.is_connected))::int4)
  from location o join node_assignment b on b.location_id = o.id join node x on x.serial_number = b.serial_number
  join node_live w on w.serial_number = b.serial_number
  where o.facility_id = f.id and x.serial_number <> n.serial_number and x.current_deployment_status = 'Deployed' and x.type = any ($2::text[]))`;

const columns = selectList(without(NodeOverview, "tasks"), "n", {
  serialNumber: "n.serial_number::text",
  newDeploymentStatusUpdateTimestamp: epochSeconds("n.new_deployment_status_updated_at"),
  dataInterval: "n.data_point_interval_seconds",
  scalarInterval: "n.scalar_interval_seconds",
  customerId: "coalesce(c.id, rc.id)",
  customerName: "coalesce(c.name, rc.name, n.unassigned_customer)",
  facilityId: "f.id",
  facilityName: "coalesce(f.name, d.facility_name, n.unassigned_facility)",
  locationId: "l.id",
  locationName: "coalesce(l.name, n.unassigned_location)",
  isSecondary: "coalesce(a.slot = 2, false)",
  timezone: "l.timezone",
  nodesBeside: list(`select b.serial_number::text as "serialNumber", b.slot = 2 as "isSecondary", w.is_connected as connected
    from node_assignment b join node_live w using (serial_number)
    where b.location_id = l.id and b.serial_number <> n.serial_number order by b.slot`),
  othersAtFacility,
  connected: "v.is_connected",
  connectionChangedTimestamp: epochSeconds("v.connection_changed_at"),
  lastScalarTimestamp: epochSeconds("v.last_scalar_at"),
  lastDatafileTimestamp: epochSeconds("v.last_datafile_at"),
  openAlarms: list(openAlarms),
  events: list(events),
  places: list(places),
  configTimestamp: epochSeconds("k.told_at"),
  configValueCount: "case when k.config_values is not null then (select count(*)::int4 from jsonb_object_keys(k.config_values)) end",
  configChanges: list(configChanges),
  notes: list(notes),
  changes: list(changes),
  requests: list(requests),
  previousSerialNumber: "(select max(serial_number)::text from node where serial_number < n.serial_number)",
  nextSerialNumber: "(select min(serial_number)::text from node where serial_number > n.serial_number)",
});

export function createNodeOverviewReadModel(pool: Pool) {
  return {
    async find(serialNumber: number): Promise<NodeOverviewRow | undefined> {
      const rows = await prepared<NodeOverviewRow>(pool, "node-overview", [serialNumber, measuringNodeTypes])`select ${columns}
        from node n join node_live v on v.serial_number = n.serial_number
        ${placeOfNode} ${listOfNode}
        left join node_config k on k.serial_number = n.serial_number
        where n.serial_number = $1`;
      return rows[0];
    },
  };
}
export type NodeOverviewReadModel = ReturnType<typeof createNodeOverviewReadModel>;
