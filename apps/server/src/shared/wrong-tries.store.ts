import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";

/** A new password is guessed from the start: what was counted for the old one holds no one back any more. */
export async function forgetWrongTries(client: PoolClient, userId: number): Promise<void> {
  await planned(client, "forget-wrong-tries", [userId])`
    delete from sign_in_tries where name = 'account/' || $1::int or name like 'account/' || $1::int || '/from/%'
    or name in (select 'device/' || id from known_device where user_id = $1)`;
}
