import type { Pool, PoolClient } from "pg";
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
      const { rows } = await pool.query<CommandRow>({
        name: "node-command-outcome",
        text: `select ${rowColumns} from node_command where id = $1`,
        values: [id],
      });
      return outcomeOf(rows[0]);
    },

    /** The time is over: what is not answered by now never will be. */
    async giveUp(id: string): Promise<CommandOutcome> {
      const { rows } = await pool.query<CommandRow>({
        name: "give-up-node-command",
        text: `update node_command set state = 'failed', failure = case state when 'sent' then 'unanswered' else 'no-ingest' end
          where id = $1 and state in ('pending', 'sent') returning ${rowColumns}`,
        values: [id],
      });
      return outcomeOf(rows[0]) ?? (await this.outcome(id)) ?? { state: "unanswered" };
    },

    /** Milliseconds until it can be given up; undefined for one that is not kept. */
    async timeLeft(id: string): Promise<number | undefined> {
      const { rows } = await pool.query<{ ms: number }>({
        name: "node-command-time-left",
        text: "select greatest(0, extract(epoch from expires_at - now()) * 1000)::float8 as ms from node_command where id = $1",
        values: [id],
      });
      return rows[0]?.ms;
    },

    async isWriteUnderWay(serialNumber: number): Promise<boolean> {
      const { rowCount } = await pool.query({
        name: "node-write-under-way",
        text: `select 1 from node_command
          where serial_number = $1 and is_exclusive and state in ('pending', 'sent') and expires_at > now()`,
        values: [serialNumber],
      });
      return rowCount === 1;
    },

    /** Deletes up to `limit` commands made before a time, epoch seconds; returns how many. */
    async findBefore(before: number, limit: number, ids: readonly string[] | null): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `/* old-node-commands */ select id::text from node_command where created_at < to_timestamp($1) and ${isNext("NodeCommandPruner", "command", "id::text", "$3")} order by created_at limit $2`,
        [before, limit, ids],
      );
      return rows.map(({ id }) => id);
    },

    async delete(ids: readonly string[]): Promise<number> {
      const { rowCount } = await pool.query("/* delete-node-commands */ delete from node_command where id = any ($1::uuid[])", [ids]);
      return rowCount ?? 0;
    },
  };
}
export type NodeCommandsStore = ReturnType<typeof createNodeCommandsStore>;

// Of a process that ended before it could give up.
async function endOverdue(client: PoolClient, serialNumber: number): Promise<void> {
  await client.query({
    name: "end-overdue-node-commands",
    text: `update node_command set state = 'failed', failure = case state when 'sent' then 'unanswered' else 'no-ingest' end
      where serial_number = $1 and is_exclusive and state in ('pending', 'sent') and expires_at <= now()`,
    values: [serialNumber],
  });
}

async function insertCommand(client: PoolClient, id: string, command: NewNodeCommand): Promise<void> {
  await client.query({
    name: "insert-node-command",
    text: `with made as (
        insert into node_command (id, serial_number, metrics, awaits_answer, is_exclusive, expires_at)
        values ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond'))
      select pg_notify('${commandChannel}', '')`,
    values: [
      id,
      command.serialNumber,
      JSON.stringify(command.metrics),
      command.awaitsAnswer ?? false,
      command.isExclusive ?? false,
      command.timeoutMs,
    ],
  });
}

function outcomeOf(row: CommandRow | undefined): CommandOutcome | undefined {
  if (row === undefined || row.state === "pending") return undefined;
  if (row.state === "answered" && row.answer) return { state: "answered", answer: row.answer };
  if (row.state === "sent") return row.awaitsAnswer ? undefined : { state: "sent" };
  if (row.failure === "unanswered") return { state: "unanswered" };
  return { state: "not-sent", reason: row.failure === "not-connected" ? "not-connected" : "no-ingest" };
}
