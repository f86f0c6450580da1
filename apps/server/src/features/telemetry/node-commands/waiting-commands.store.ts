import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";
import { outcomeChannel, type CommandMetric } from "./node-command.ts";

/** A command that an ingest process took over. */
export interface WaitingCommand {
  serialNumber: number;
  /** The edge node that a sub node is reached through. */
  parentSerialNumber: number | null;
  metrics: CommandMetric[];
  /** Alias and type of each metric in the node's birth. */
  born: Record<string, [alias: number | null, datatype: number]>;
  /** False: it is settled as failed, and must not be sent. */
  isSendable: boolean;
}

const bornMetrics = `case when n.parent_serial_number is null then b.metrics -> 'metrics'
  else (select d -> 'metrics' from jsonb_array_elements(b.metrics -> 'devices') d where d ->> 'id' = n.serial_number::text) end`;

export function createWaitingCommandsStore(pool: Pool) {
  return {
    /** Takes over what waits, oldest first: no one else will send these. Those to nodes that are away fail at once. */
    async take(limit: number): Promise<WaitingCommand[]> {
      return await prepared<WaitingCommand>(pool, "take-node-commands", [limit])`with due as (
          select id from node_command where state = 'pending' order by created_at limit $1 for update skip locked
        ), seen as (
          select c.id, n.parent_serial_number as parent, c.expires_at <= now() as is_late,
            v.is_connected and coalesce(p.is_connected, true) as is_connected,
            coalesce((select jsonb_object_agg(m ->> 0, jsonb_build_array(m -> 1, m -> 2)) from jsonb_array_elements(nullif(${bornMetrics}, 'null')) m
              where m ->> 0 in (select x ->> 'name' from jsonb_array_elements(c.metrics) x)), '{}') as born
          from due join node_command c using (id) join node n using (serial_number) join node_live v using (serial_number)
            left join node_live p on p.serial_number = n.parent_serial_number
            left join node_birth b on b.serial_number = coalesce(n.parent_serial_number, n.serial_number)
        ), taken as (
          update node_command c set state = case when s.is_connected and not s.is_late then 'sent' else 'failed' end,
            failure = case when s.is_late then 'no-ingest' when not s.is_connected then 'not-connected' end,
            sent_at = case when s.is_connected and not s.is_late then now() end
          from seen s where s.id = c.id returning c.*, s.parent, s.born
        )
        select serial_number as "serialNumber", parent as "parentSerialNumber", metrics, born, state = 'sent' as "isSendable",
          case when state = 'failed' or not awaits_answer then pg_notify('${outcomeChannel}', id::text) end as notified
        from taken order by created_at`;
    },
  };
}
export type WaitingCommandsStore = ReturnType<typeof createWaitingCommandsStore>;
