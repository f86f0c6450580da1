import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";
import type { RelayFile } from "./relay-events.ts";

/** The uploads as the feeds show them. */
export async function insertRelayActivities(client: PoolClient, files: readonly RelayFile[]): Promise<void> {
  await planned(client, "demo-relay-activities", [
    files.map(({ receivedAt }) => receivedAt),
    files.map(({ serial }) => String(serial)),
    files.map(({ action }) => action),
    files.map(({ name }) => name),
    files.map(({ description }) => description),
  ])`
    insert into activity (ts, actor_type, actor, action, object, description)
    select to_timestamp(t), 'ApiKey', s, a, n, d from unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality as u (t, s, a, n, d, place)
    order by place`;
}
