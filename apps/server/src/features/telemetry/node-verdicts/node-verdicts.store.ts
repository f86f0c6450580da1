import type { Evidence, Verdict } from "@busbar/alarms/verdict/signals.ts";
import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import type { Pool, PoolClient } from "pg";
import { planned, prepared } from "#db/statement.ts";

export interface JudgedNode {
  serial: number;
  verdict: Verdict;
}

/** A verdict that lasted: it is remembered, and reported when it follows another. */
export interface LastingVerdict extends JudgedNode {
  beganAt: number;
  isReported: boolean;
}

const wireOf = ({ kind, gravity, sentence, since, detail }: Evidence) => ({
  kind,
  gravity,
  sentence,
  since: since === undefined ? null : Math.floor(since),
  detail,
});

export async function writeVerdicts(client: PoolClient, judged: readonly JudgedNode[]): Promise<void> {
  if (judged.length === 0) return;
  // A node may be gone by now. What is known already moves no revision.
  await prepared(client, "write-node-verdicts", [
    judged.map(({ serial }) => serial),
    judged.map(({ verdict }) => verdict.kind),
    judged.map(({ verdict }) => verdict.gravity),
    judged.map(({ verdict }) => verdict.sentence),
    judged.map(({ verdict }) => (Number.isFinite(verdict.since) ? verdict.since : null)),
    judged.map(({ verdict }) => JSON.stringify(verdict.evidence.map(wireOf))),
  ])`
    insert into node_verdict as v (serial_number, kind, gravity, sentence, since, evidence)
    select u.serial, u.kind, u.gravity, u.sentence, to_timestamp(u.since), u.evidence
    from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::jsonb[]) as u (serial, kind, gravity, sentence, since, evidence)
    join node n on n.serial_number = u.serial order by u.serial
    on conflict (serial_number) do update set kind = excluded.kind, gravity = excluded.gravity, sentence = excluded.sentence, since = excluded.since,
      evidence = excluded.evidence, changed_xid = pg_current_xact_id()
    where (v.kind, v.sentence, v.since, v.evidence) is distinct from (excluded.kind, excluded.sentence, excluded.since, excluded.evidence)`;
}

const action: ActivityAction = "NODE_VERDICT_CHANGED";

/** What lasted, and an activity of each that followed another. */
export async function writeLasting(client: PoolClient, lasting: readonly LastingVerdict[]): Promise<void> {
  if (lasting.length === 0) return;
  await prepared(client, "write-node-verdict-history", [
    lasting.map(({ serial }) => serial),
    lasting.map(({ beganAt }) => beganAt),
    lasting.map(({ verdict }) => verdict.kind),
    lasting.map(({ verdict }) => verdict.gravity),
    lasting.map(({ verdict }) => verdict.sentence),
    lasting.map(({ isReported }) => isReported),
    action,
  ])`
    with given as (
      select u.* from unnest($1::int4[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::boolean[])
        as u (serial, began_at, kind, gravity, sentence, is_reported) join node n on n.serial_number = u.serial),
    before as (
      select g.serial, h.kind, h.sentence from given g cross join lateral (
        select kind, sentence from node_verdict_history where serial_number = g.serial and kind <> 'unknown' order by began_at desc limit 1) h),
    remembered as (
      insert into node_verdict_history (serial_number, began_at, kind, gravity, sentence)
      select serial, to_timestamp(began_at), kind, gravity, sentence from given
      on conflict (serial_number, began_at) do update set kind = excluded.kind, gravity = excluded.gravity, sentence = excluded.sentence)
    insert into activity (actor_type, actor, action, object, description, before, after)
    select 'System', 'NodeVerdicts', $7, 'node/' || g.serial, 'Node ' || g.serial || ': ' || g.sentence,
      jsonb_build_object('kind', b.kind, 'sentence', b.sentence), jsonb_build_object('kind', g.kind, 'sentence', g.sentence)
    from given g join before b using (serial) where g.is_reported and b.kind <> g.kind order by g.serial`;
}

/** How often a service ran, in whichever process. */
export async function readRunCount(pool: Pool, service: string): Promise<number> {
  const rows = await prepared<{ count: number }>(pool, "runs-of-service", [service])`
    select run_count::float8 as count from service where name = $1`;
  return rows[0]?.count ?? 0;
}

/** The last verdict of each node that is remembered. */
export async function readLastingKinds(pool: Pool): Promise<Map<number, string>> {
  const rows = await planned<{ serial: number; kind: string }>(pool, "read-lasting-verdicts")`
    select n.serial_number as serial, h.kind from node n cross join lateral (
    select kind from node_verdict_history where serial_number = n.serial_number order by began_at desc limit 1) h`;
  return new Map(rows.map(({ serial, kind }) => [serial, kind]));
}
