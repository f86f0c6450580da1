import { randomUUID } from "node:crypto";
import { createAdministrator } from "@busbar/server/admin/administrators.store.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { secretsKeyOf } from "@busbar/server/db/secrets-key.ts";
import { systemSecret } from "@busbar/server/db/system-secret.store.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createTokenSigner } from "@busbar/server/features/access/session/session-token.ts";
import { createSessionStore } from "@busbar/server/features/access/session/session.store.ts";
import { hashPassword } from "@busbar/server/lib/passwords.ts";
import { newTotpSecret } from "@busbar/server/lib/totp.ts";

const lifeSeconds = 86_400;
export const benchPerson = "bench";

/** Signs an administrator in many times at once, as many people would, and returns the tokens. */
export async function createStaffSessions(pool: Pool, dataDir: string, count: number): Promise<string[]> {
  const secretsKey = secretsKeyOf(dataDir);
  const passwordHash = await hashPassword(randomUUID());
  await inTransaction(pool, (client) =>
    createAdministrator(client, secretsKey, {
      username: benchPerson,
      email: "bench@busbar.example",
      firstName: "Bench",
      lastName: "Person",
      roles: ["systemAdministrator"],
      passwordHash,
      totpSecret: newTotpSecret(),
    }),
  );
  const store = createSessionStore(pool);
  const user = await store.findLoginUser("username", benchPerson);
  if (!user) throw new Error("The administrator of the benchmark was not created");
  const signer = createTokenSigner(await systemSecret(pool, "session-key", secretsKey));
  const now = Math.floor(Date.now() / 1000);
  const tokens: string[] = [];
  for (let made = 0; made < count; made++) {
    const id = randomUUID();
    const expiresAt = now + lifeSeconds;
    const origin = { remoteAddress: "127.0.0.1", userAgent: "bench" };
    await store.insertSession(
      { id, userId: user.id, roles: user.roles, signedInAt: now, issuedAt: now, expiresAt, ...origin },
      passwordHash,
      { most: count, idleSeconds: lifeSeconds, alsoDo: async () => {} },
    );
    tokens.push(await signer.sign({ sessionId: id, username: benchPerson, name: user.name, issuedAt: now, expiresAt }));
  }
  return tokens;
}
