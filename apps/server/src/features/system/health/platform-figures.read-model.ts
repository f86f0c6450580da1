import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
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
    pool.query<ServiceFigures>({
      name: "service-figures",
      text: `select name, is_enabled as "isEnabled",
               greatest(0, coalesce($1::float8 - ${exactEpoch(failingSinceSql("$1::float8"))}, 0)) as "failingSeconds" from service order by name`,
      values: [now],
    }),
    pool.query<{ waiting: number; oldest: number }>({
      name: "mail-figures",
      text: `select count(*)::int4 as waiting, greatest(0, coalesce($1::float8 - ${exactEpoch("min(created_at)")}, 0)) as oldest
             from notification where next_attempt_at is not null`,
      values: [now],
    }),
    pool.query<{ nodes: number; connected: number }>({
      name: "node-figures",
      text: `select count(*)::int4 as nodes, (count(*) filter (where is_connected))::int4 as connected from node_live`,
    }),
  ]);
  return {
    services: services.rows,
    waitingMail: mail.rows[0]?.waiting ?? 0,
    oldestWaitingMailSeconds: mail.rows[0]?.oldest ?? 0,
    nodes: nodes.rows[0]?.nodes ?? 0,
    connectedNodes: nodes.rows[0]?.connected ?? 0,
  };
}
