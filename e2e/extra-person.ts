import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createAdministrator } from "@busbar/server/admin/administrators.store.ts";
import { createPool, databaseUrl, patientConnectTimeoutMs } from "@busbar/server/db/pool.ts";
import { embeddedUrl, socketFolder } from "@busbar/server/db/postgres-folder.ts";
import { secretsKeyOf } from "@busbar/server/db/secrets-key.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { hashPassword } from "@busbar/server/lib/passwords.ts";
import { newTotpSecret, totpCode, totpPeriodSeconds } from "@busbar/server/lib/totp.ts";
import { password, world } from "./fixtures.ts";

export interface ExtraPerson {
  username: string;
  /** A 2FA code that was not used yet; a person has two at once. */
  passcode(): string;
}

/** An administrator of one test alone, whose 2FA codes no other test uses up. */
export async function addPerson(
  roles: string[] = ["systemAdministrator"],
  dataDir: string = world().dataDir,
  { hasTwoFactor = true }: { hasTwoFactor?: boolean } = {},
): Promise<ExtraPerson> {
  const username = `e2e${randomBytes(6).toString("hex")}`;
  const totpSecret = newTotpSecret();
  const pool = createPool(databaseUrl(embeddedUrl(socketFolder(join(dataDir, "postgres"))), "busbar"), {
    max: 1,
    connectTimeoutMs: patientConnectTimeoutMs,
  });
  try {
    const passwordHash = await hashPassword(password);
    await inTransaction(pool, (client) =>
      createAdministrator(client, secretsKeyOf(dataDir), {
        username,
        email: `${username}@busbar.example`,
        firstName: "Extra",
        lastName: "Person",
        roles,
        passwordHash,
        totpSecret,
      }),
    );
    if (!hasTwoFactor) await pool.query("delete from user_totp where user_id = (select id from app_user where username = $1)", [username]);
  } finally {
    await pool.end();
  }
  let step = 0;
  return { username, passcode: () => totpCode(totpSecret, Date.now() + totpPeriodSeconds * 1000 * step++) };
}
