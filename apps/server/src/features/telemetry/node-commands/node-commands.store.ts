import type { Pool, PoolClient } from "pg";
import { planned, plannedCount, prepared, preparedCount } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import { commandChannel, type CommandAnswer, type CommandOutcome, type NewNodeCommand } from "./node-command.ts";
import { isNext } from "#services/queue-sql.ts";

interface CommandRow {
  state: "pending" | "sent" | "answered" | "failed";
  failure: string | null;
  answer: CommandAnswer | null;
  awaitsAnswer: boolean;
}

const rowColumns = `state, failure, answer, awaits_answer as "awaitsAnswer"`;
const uniqueViolation = "23505";

export function createNodeCommandsStore(pool: Pool) {
  return {
    /** False when an exclusive command is already under way to the node. */
    async insert(id: string, command: NewNodeCommand): Promise<boolean> {
      try {
        await inTransaction(pool, async (client) => {
          if (command.isExclusive) await endOverdue(client, command.serialNumber);
          await insertCommand(client, id, command);
          await command.alongside?.(client);
        });
        return true;
      } catch (error) {
        const { code, constraint } = error as { code?: string; constraint?: string };
        if (code === uniqueViolation && constraint === "node_command_in_flight") return false;
        throw error;
      }
    },

    /** Undefined while its fate is open. */
    async outcome(id: string): Promise<CommandOutcome | undefined> {
      const rows = await prepared<CommandRow>(pool, "node-command-outcome", [id])`select ${rowColumns} from node_command where id = $1`;
      return outcomeOf(rows[0]);
    },

    /** The time is over: what is not answered by now never will be. */
    async giveUp(id: string): Promise<CommandOutcome> {
      const rows = await prepared<CommandRow>(pool, "give-up-node-command", [id])`
        update node_command set state = 'failed', failure = case state when 'sent' then 'unanswered' else 'no-ingest' end
        where id = $1 and state in ('pending', 'sent') returning ${rowColumns}`;
      return outcomeOf(rows[0]) ?? (await this.outcome(id)) ?? { state: "unanswered" };
    },

    /** Milliseconds until it can be given up; undefined for one that is not kept. */
    async timeLeft(id: string): Promise<number | undefined> {
      const rows = await prepared<{ ms: number }>(pool, "node-command-time-left", [id])`
        select greatest(0, extract(epoch from expires_at - now()) * 1000)::float8 as ms from node_command where id = $1`;
      return rows[0]?.ms;
    },

    async isWriteUnderWay(serialNumber: number): Promise<boolean> {
      const rowCount = await preparedCount(pool, "node-write-under-way", [serialNumber])`select 1 from node_command
        where serial_number = $1 and is_exclusive and state in ('pending', 'sent') and expires_at > now()`;
      return rowCount === 1;
    },

    /** Deletes up to `limit` commands made before a time, epoch seconds; returns how many. */
    async findBefore(before: number, limit: number, ids: readonly string[] | null): Promise<string[]> {
      const rows = await planned<{ id: string }>(pool, "old-node-commands", [before, limit, ids])`
        select id::text from node_command where created_at < to_timestamp($1) and ${isNext("NodeCommandPruner", "command", "id::text", "$3")} order by created_at limit $2`;
      return rows.map(({ id }) => id);
    },

    async delete(ids: readonly string[]): Promise<number> {
      return await plannedCount(pool, "delete-node-commands", [ids])`delete from node_command where id = any ($1::uuid[])`;
    },
  };
}
export type NodeCommandsStore = ReturnType<typeof createNodeCommandsStore>;

// Of a process that ended before it could give up.
async function endOverdue(client: PoolClient, serialNumber: number): Promise<void> {
  await prepared(client, "end-overdue-node-commands", [serialNumber])`
    update node_command set state = 'failed', failure = case state when 'sent' then 'unanswered' else 'no-ingest' end
    where serial_number = $1 and is_exclusive and state in ('pending', 'sent') and expires_at <= now()`;
}

async function insertCommand(client: PoolClient, id: string, command: NewNodeCommand): Promise<void> {
  await prepared(client, "insert-node-command", [
    id,
    command.serialNumber,
    JSON.stringify(command.metrics),
    command.awaitsAnswer ?? false,
    command.isExclusive ?? false,
    command.timeoutMs,
  ])`
    with made as (
      insert into node_command (id, serial_number, metrics, awaits_answer, is_exclusive, expires_at)
      values ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond'))
    select pg_notify('${commandChannel}', '')`;
}

function outcomeOf(row: CommandRow | undefined): CommandOutcome | undefined {
  if (row === undefined || row.state === "pending") return undefined;
  if (row.state === "answered" && row.answer) return { state: "answered", answer: row.answer };
  if (row.state === "sent") return row.awaitsAnswer ? undefined : { state: "sent" };
  if (row.failure === "unanswered") return { state: "unanswered" };
  return { state: "not-sent", reason: row.failure === "not-connected" ? "not-connected" : "no-ingest" };
}
