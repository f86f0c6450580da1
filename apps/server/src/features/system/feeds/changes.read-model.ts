import { actionsOf, Change, changeKinds, roleForValues, type ActivityAction, type ChangeKind } from "@busbar/contract/system/changes.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { planned, prepared } from "#db/statement.ts";

export interface ChangeFilter {
  kind: ChangeKind | undefined;
  /** In place of all of the kind. */
  action: ActivityAction | undefined;
  actor: string | null | undefined;
  object: string | undefined;
  /** Epoch seconds: from this one on, and before that one. */
  from: number | undefined;
  to: number | undefined;
  /** Only those older than the one with this id. */
  before: number | undefined;
  limit: number;
}

const within = `case split_part(object, '/', 1)
  when 'note' then (select 'location/' || n.location_id from location_note n where n.id::text = split_part(object, '/', 2))
  when 'node' then 'task/' || (before ->> 'taskTemplateId') end`;
// Connections are recorded under the bare serial number.
const object = `case when object ~ '^[1-9][0-9]{4}$' then 'node/' || object else object end`;
const columns = selectList(Change, "activity", { id: "id::float8", timestamp: epochSeconds("ts"), object, within });

export type Changes = ReturnType<typeof createChanges>;

export function createChanges(pool: Pool) {
  async function timeOf(id: number): Promise<string | undefined> {
    const rows = await prepared<{ ts: string }>(pool, "time-of-change", [id])`select ts::text as ts from activity where id = $1`;
    return rows[0]?.ts;
  }

  /** Values of nodes' configurations are in the audit log only. */
  async function withAuditedValues(changes: readonly Change[]): Promise<Change[]> {
    const auditIdOf = ({ after }: Change) => Number(after?.["auditId"] ?? 0);
    const ids = changes.map(auditIdOf).filter((id) => id > 0);
    if (ids.length === 0) return [...changes];
    const rows = await prepared<{ id: number; key: string; before: string; after: string }>(pool, "audited-values", [ids])`
      select id::float8, key, old_value as before, new_value as after from audit_log where id = any($1::bigint[])`;
    const audited = new Map(rows.map((row) => [row.id, row]));
    return changes.map((change) => {
      const id = auditIdOf(change);
      if (id === 0) return change;
      const entry = audited.get(id);
      return { ...change, before: entry ? { [entry.key]: entry.before } : null, after: entry ? { [entry.key]: entry.after } : null };
    });
  }

  return {
    /** The newest that match, with all values that were recorded. */
    async list({ kind, action, actor, object, from, to, before, limit }: ChangeFilter): Promise<Change[]> {
      const start = before === undefined ? undefined : await timeOf(before);
      // What is so old that it was forgotten has nothing before it.
      if (before !== undefined && start === undefined) return [];
      const actions = action === undefined ? actionsOf(kind) : [action];
      const values: unknown[] = [limit];
      const conditions: string[] = [];
      const where = (condition: (parameter: string) => string, value: unknown) =>
        value !== undefined && conditions.push(condition(`$${values.push(value)}`));
      where((name) => `actor = ${name}`, actor);
      where((name) => `ts >= to_timestamp(${name})`, from);
      where((name) => `ts < to_timestamp(${name})`, to);
      if (start !== undefined) conditions.push(`(ts, id) < ($${values.push(start)}::timestamptz, $${values.push(before)}::bigint)`);
      const newest = "order by ts desc, id desc limit $1";
      const select = (first: string) => `select * from activity where ${[first, ...conditions].join(" and ")}`;
      // Each action is written out: the planner must know how rare it is, or it reads millions of others to find the newest.
      const each = actions.map((name) => `(${select(`action = '${name}'`)} ${newest})`);
      const ofObject = (known: string) => {
        const own = `object = $${values.push(known)} and action in (${actions.map((name) => `'${name}'`).join()})`;
        const serial = /^node\/(\d{5})$/.exec(known)?.[1];
        if (serial === undefined) return [select(own)];
        const isWanted = (name: ActivityAction) => actions.includes(name);
        const connections = changeKinds.connections.actions.filter(isWanted).map((name) => `'${name}'`);
        const sources = [
          select(own),
          ...(connections.length > 0 ? [select(`object = $${values.push(serial)} and action in (${connections.join()})`)] : []),
        ];
        if (!isWanted("SWAP_NODE")) return sources;
        // A swap is an activity of its location, and of both nodes.
        const swaps = `select swapped_at, swapped_by from node_swap where $${values.push(serial)}::int4 in (old_serial_number, new_serial_number)`;
        return [...sources, select(`action = 'SWAP_NODE' and (ts, actor) in (${swaps})`)];
      };
      const source = (object === undefined ? each : ofObject(object)).join(" union all ");
      return await withAuditedValues(
        await planned<Change>(pool, "list-changes", values)`select ${columns} from (${source}) activity ${newest}`,
      );
    },

    /** Who changed something. People who were deleted since are found by typing their name. */
    async people(): Promise<{ actor: string }[]> {
      return await prepared<{ actor: string }>(pool, "people-of-changes", [actionsOf(undefined)])`
        select actor from (select username from app_user union select name from service union select 'command line') as known (actor)
        where exists (select from unnest($1::text[]) as wanted (action) join activity a on a.actor = known.actor and a.action = wanted.action)
        order by actor`;
    },
  };
}

/** What differs: all of what was made or deleted. Values that need a role are there for those who have it. */
export function shownChange(change: Change, roles: readonly string[]): Change {
  const role = roleForValues(change.action);
  if (role !== undefined && !roles.includes(role)) return { ...change, before: null, after: null };
  const { before, after } = change;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const differing = [...names].filter((name) => name !== "revision" && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  const only = (values: Change["before"]) =>
    values && Object.fromEntries(differing.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])));
  return { ...change, before: only(before), after: only(after) };
}
