import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import type { NodeReport } from "#features/telemetry/scalars/node-report.ts";
import { outcomeChannel } from "./node-command.ts";

/** More keys than any firmware has: a node that invents more starts over. */
const maxKeys = 500;

export interface NodeAnswersStore {
  /** Inside the transaction of ingest. */
  write: (client: PoolClient, reports: readonly NodeReport[]) => Promise<void>;
}

/** Stores what nodes report of their configuration, and settles the commands that they answer. */
export function createNodeAnswersStore(): NodeAnswersStore {
  return {
    async write(client, reports) {
      const values = mergedValues(reports);
      const answers = reports.flatMap(({ serial, answers }) => answers.map((answer) => ({ serial, ...answer })));
      // Sent together: the transaction of ingest is pipelined.
      // An answer that is late, comes twice or is another node's finds no row.
      await Promise.all([
        ...(values.length === 0
          ? []
          : [
              prepared(client, "store-node-config", [
                values.map(({ serial }) => serial),
                values.map(({ atMs }) => atMs),
                values.map(({ values }) => JSON.stringify(Object.fromEntries(values))),
                values.map(({ types }) => JSON.stringify(Object.fromEntries(types))),
              ])`
                insert into node_config as c (serial_number, told_at, config_values, config_types)
                select s, to_timestamp(t / 1000.0), v, y from unnest($1::int4[], $2::float8[], $3::jsonb[], $4::jsonb[]) as u (s, t, v, y) order by s
                on conflict (serial_number) do update set told_at = excluded.told_at, (config_values, config_types) = (
                  select excluded.config_values, excluded.config_types
                  where (select count(*) from jsonb_object_keys(c.config_values)) > ${maxKeys}
                  union all select c.config_values || excluded.config_values, c.config_types || excluded.config_types limit 1)`,
            ]),
        ...(answers.length === 0
          ? []
          : [
              prepared(client, "settle-node-commands", [
                answers.map(({ requestId }) => requestId),
                answers.map(({ serial }) => serial),
                answers.map(({ metric, result, value }) => JSON.stringify({ metric, result, value })),
              ])`
                with settled as (
                  update node_command c set state = 'answered', answered_at = now(), answer = u.answer
                  from (select distinct on (id, serial) id, serial, answer from unnest($1::uuid[], $2::int4[], $3::jsonb[]) with ordinality as a (id, serial, answer, place)
                    order by id, serial, place) u
                  where c.id = u.id and c.serial_number = u.serial and c.state = 'sent' and c.awaits_answer returning c.id)
                select pg_notify('${outcomeChannel}', id::text) from settled`,
            ]),
      ]);
    },
  };
}

/** One row per node: a statement may not meet a row twice. */
function mergedValues(reports: readonly NodeReport[]): Omit<NodeReport, "answers">[] {
  const bySerial = new Map<number, Omit<NodeReport, "answers">>();
  for (const { serial, atMs, values, types } of reports) {
    if (values.size === 0) continue;
    const known = bySerial.get(serial);
    bySerial.set(serial, {
      serial,
      atMs: Math.max(atMs, known?.atMs ?? 0),
      values: new Map([...(known?.values ?? []), ...values]),
      types: new Map([...(known?.types ?? []), ...types]),
    });
  }
  return [...bySerial.values()].toSorted((a, b) => a.serial - b.serial);
}
