import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { failingSinceSql } from "#services/service-sql.ts";

export interface ServiceFigures {
  name: string;
  isEnabled: boolean;
  /** For how long it has not worked. */
  failingSeconds: number;
}

export interface PlatformFigures {
  services: ServiceFigures[];
  waitingMail: number;
  oldestWaitingMailSeconds: number;
  nodes: number;
  connectedNodes: number;
}

/** What whoever watches the platform from outside wants to know of it. */
export async function readPlatformFigures(pool: Pool, now: number): Promise<PlatformFigures> {
  const [services, mail, nodes] = await Promise.all([
    prepared<ServiceFigures>(pool, "service-figures", [now])`select name, is_enabled as "isEnabled",
      greatest(0, coalesce($1::float8 - ${exactEpoch(failingSinceSql("$1::float8"))}, 0)) as "failingSeconds" from service order by name`,
    prepared<{ waiting: number; oldest: number }>(pool, "mail-figures", [now])`
      select count(*)::int4 as waiting, greatest(0, coalesce($1::float8 - ${exactEpoch("min(created_at)")}, 0)) as oldest
      from notification where next_attempt_at is not null`,
    prepared<{ nodes: number; connected: number }>(pool, "node-figures")`
      select count(*)::int4 as nodes, (count(*) filter (where is_connected))::int4 as connected from node_live`,
  ]);
  return {
    services,
    waitingMail: mail[0]?.waiting ?? 0,
    oldestWaitingMailSeconds: mail[0]?.oldest ?? 0,
    nodes: nodes[0]?.nodes ?? 0,
    connectedNodes: nodes[0]?.connected ?? 0,
  };
}
