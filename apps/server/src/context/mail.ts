import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { createMailTransport } from "#features/alarms/mail/mail-transport.ts";
import { createMail } from "#features/alarms/mail/mail.service.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { createMailStore } from "#features/alarms/mail/mail.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";

export interface PlatformMailDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  consoleUrl: () => string;
}

/** The outbox and what delivers it, with the sender and the links of this platform. */
export function createPlatformMail({ pool, config, log, clock, consoleUrl }: PlatformMailDependencies): Mail {
  return createMail({
    store: createMailStore(pool),
    transport: createMailTransport(config.smtpUrl, config.mailFrom),
    clock,
    log,
    domain: /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? "localhost",
    consoleUrl,
  });
}
