import type { PoolClient } from "pg";

/**
 * Until the transaction ends no one signs in as this user or refreshes a session; who was about to is then refused. Must come before the
 * statement that ends sessions, which cannot see a session that is committed while it runs.
 */
export async function holdOffNewSessions(client: PoolClient, userId: number): Promise<void> {
  await client.query("/* hold-off-new-sessions */ select from app_user where id = $1 for no key update", [userId]);
}
