import type { PoolClient } from "pg";
import { planned } from "./statement.ts";

/**
 * For a connection whose locks say that a process lives. A process that is killed closes it; a machine that loses its power or its
 * network does not, and the database would keep its locks for two hours. So it asks, and ends the connection within a minute.
 */
export async function watchPeer(connection: PoolClient): Promise<void> {
  await planned(connection, "watch-peer")`
    select set_config('tcp_keepalives_idle', '15', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)`;
}
