import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";

/**
 * Until the transaction ends no one signs in as this user or refreshes a session; who was about to is then refused. Must come before the
 * statement that ends sessions, which cannot see a session that is committed while it runs.
 */
export async function holdOffNewSessions(client: PoolClient, userId: number): Promise<void> {
  await planned(client, "hold-off-new-sessions", [userId])`select from app_user where id = $1 for no key update`;
}
