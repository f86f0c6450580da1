import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { createSecretsKey } from "#db/secrets-key.ts";
import { systemSecret } from "#db/system-secret.store.ts";
import { readTotpKey } from "#shared/totp-secret.store.ts";
import { accountHandlers } from "#features/access/account/account.handlers.ts";
import { createAccount } from "#features/access/account/account.service.ts";
import { createAccountStore } from "#features/access/account/account.store.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { createKnownDeviceStore } from "#features/access/session/known-device.store.ts";
import { createSignInTriesStore } from "#features/access/session/sign-in-tries.store.ts";
import { createTokenSigner } from "#features/access/session/session-token.ts";
import { sessionHandlers } from "#features/access/session/session.handlers.ts";
import { createSessionService } from "#features/access/session/session.service.ts";
import { createSessionStore } from "#features/access/session/session.store.ts";
import { createEnrolment } from "#features/access/two-factor/enrolment.service.ts";
import { twoFactorHandlers } from "#features/access/two-factor/two-factor.handlers.ts";
import { createTwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import { createTwoFactorStore } from "#features/access/two-factor/two-factor.store.ts";
import { userImportHandlers } from "#features/access/user-import/user-import.handlers.ts";
import { createUserImport } from "#features/access/user-import/user-import.service.ts";
import { createApiClients } from "#features/access/user-keys/api-client.service.ts";
import { userKeysHandlers } from "#features/access/user-keys/user-keys.handlers.ts";
import { createUserKeys } from "#features/access/user-keys/user-keys.service.ts";
import { createUserKeysStore } from "#features/access/user-keys/user-keys.store.ts";
import { warnOfSharedNames } from "#features/access/users/shared-names.store.ts";
import { createUserGuard } from "#features/access/users/user-guard.ts";
import { createUserList } from "#features/access/users/user-list.ts";
import { createUserNotices } from "#features/access/users/user-notices.ts";
import { usersHandlers } from "#features/access/users/users.handlers.ts";
import { createUsers } from "#features/access/users/users.service.ts";
import { createUsersStore } from "#features/access/users/users.store.ts";
import { createWelcome } from "#features/access/users/welcome.service.ts";
import { createDemoRedaction } from "#http/demo-redaction.ts";
import type { Authenticators } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";

export interface AccessDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  mail: Mail;
  isDatabaseAway: () => boolean;
}

/** Who may come in and what they may change about themselves and others: sessions, second factor, users, keys. */
export async function createAccess({ pool, config, log, clock, mail, isDatabaseAway }: AccessDependencies) {
  const secretsKey = createSecretsKey(config.secretsKeyFile);
  const twoFactorStore = createTwoFactorStore(pool, await readTotpKey(pool, secretsKey));
  const twoFactor = createTwoFactor({ pool, store: twoFactorStore, clock });
  const sessions = createSessionService({
    pool,
    store: createSessionStore(pool),
    tries: createSignInTriesStore(pool),
    devices: createKnownDeviceStore(pool),
    deviceKey: await systemSecret(pool, "device-names", secretsKey),
    mostSignIns: config.sessionsPerPerson,
    signer: createTokenSigner(await systemSecret(pool, "session-key", secretsKey)),
    clock,
    log,
    isDatabaseAway,
    twoFactor,
    loginTwoFactor: config.loginTwoFactor,
  });
  await warnOfSharedNames(pool, log);
  const usersStore = createUsersStore(pool);
  const keysStore = createUserKeysStore(pool);
  const guard = createUserGuard(usersStore);
  const notices = createUserNotices(mail);
  const users = createUsers({ pool, store: usersStore, guard, keys: keysStore, sessions, twoFactor, notices });
  const welcome = createWelcome({ pool, guard, mail, notices });
  const enrolment = createEnrolment({ pool, store: twoFactorStore, twoFactor, sessions, guard, mail, clock });
  const account = createAccount({
    pool,
    store: createAccountStore(pool),
    users: usersStore,
    guard,
    twoFactor: twoFactorStore,
    sessions,
    notices,
    clock,
  });
  const authenticators: Authenticators = {
    authenticate: sessions.authenticate,
    ...createApiClients({ store: keysStore, clock, log }),
    redaction: createDemoRedaction(await systemSecret(pool, "demo-names", secretsKey)),
  };
  return {
    sessions,
    twoFactor,
    authenticators,
    handlers: {
      ...sessionHandlers(sessions, { initialCredential: config.initialCredential, log }),
      ...usersHandlers({ users, list: createUserList(usersStore), welcome, guard, analyticsBase: config.analyticsUrl }),
      ...userImportHandlers(createUserImport({ pool, log, store: usersStore, users }), log),
      ...userKeysHandlers(createUserKeys({ pool, store: keysStore, guard, clock })),
      ...accountHandlers(account),
      ...twoFactorHandlers(enrolment),
    },
  };
}
