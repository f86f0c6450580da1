import type { StaffRole } from "@busbar/contract/values/option-lists.ts";
import { createAdministrator, findTotpSecrets } from "@busbar/server/admin/administrators.store.ts";
import { hashPassword } from "@busbar/server/lib/passwords.ts";
import { newTotpSecret, otpauthAddress } from "@busbar/server/lib/totp.ts";
import type { Pool, PoolClient } from "@busbar/server/db/pool.ts";
import type { SecretsKey } from "@busbar/server/db/secrets-key.ts";

/** The password of every demo account; `npm run serve` has no account of its own. */
export const demoPassword = "Busbar-demo-1";

export interface DemoAdministrator {
  username: string;
  /** What the account is for, in words. */
  may: string;
  totpSecret: string;
  otpauth: string;
}

const accounts: readonly { username: string; firstName: string; lastName: string; roles: StaffRole[]; may: string }[] = [
  { username: "sysadmin", firstName: "Sasha", lastName: "Ferrante", roles: ["systemAdministrator"], may: "system" },
  { username: "accounts", firstName: "Amara", lastName: "Lindqvist", roles: ["accountsAdministrator"], may: "accounts" },
  {
    username: "admin",
    firstName: "Noor",
    lastName: "Castellan",
    roles: ["systemAdministrator", "accountsAdministrator"],
    may: "system and accounts",
  },
  { username: "staff", firstName: "Theo", lastName: "Marchbank", roles: [], may: "neither" },
];

export async function seedAdministrators(client: PoolClient, secretsKey: SecretsKey): Promise<void> {
  for (const { username, firstName, lastName, roles } of accounts) {
    await createAdministrator(client, secretsKey, {
      username,
      email: `${username}@busbar.example`,
      firstName,
      lastName,
      roles,
      passwordHash: await hashPassword(demoPassword),
      totpSecret: newTotpSecret(),
    });
  }
}

/** The demo accounts that still exist, with their present secrets. */
export async function readAdministrators(pool: Pool, secretsKey: SecretsKey): Promise<DemoAdministrator[]> {
  const secrets = await findTotpSecrets(
    pool,
    secretsKey,
    accounts.map(({ username }) => username),
  );
  return accounts.flatMap(({ username, may }) => {
    const totpSecret = secrets.get(username);
    return totpSecret === undefined ? [] : [{ username, may, totpSecret, otpauth: otpauthAddress(totpSecret, username) }];
  });
}
