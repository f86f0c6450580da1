import { findTotpSecrets } from "@busbar/server/admin/administrators.store.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { secretsKeyOf } from "@busbar/server/db/secrets-key.ts";
import { totpCode } from "@busbar/server/lib/totp.ts";
import { benchPerson } from "./staff-sessions.ts";

/** A right code that counts as unused: people have one in 30 s. */
export async function freshCode(pool: Pool, dataDir: string): Promise<string> {
  await pool.query("update user_totp set last_used_step = 0");
  const [secret = ""] = (await findTotpSecrets(pool, secretsKeyOf(dataDir), [benchPerson])).values();
  return totpCode(secret, Date.now());
}
