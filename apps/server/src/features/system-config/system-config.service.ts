import { maskedSecret, systemConfigEntries } from "@busbar/contract/system-config.ts";
import type { SystemConfigEntry, SystemConfigName, SystemConfigValue } from "@busbar/contract/system-config.ts";
import type { Caller } from "#http/endpoints.ts";
import { forbidden, notFound } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import type { SystemConfigStore } from "./system-config.store.ts";

export interface SystemConfigDependencies {
  store: SystemConfigStore;
  log: Log;
  /** What settings there are; the contract's unless a test has its own. */
  entries?: Readonly<Record<string, SystemConfigEntry>>;
}

/** Settings that may change while the application runs. */
export function createSystemConfig({ store, log, entries = systemConfigEntries }: SystemConfigDependencies) {
  async function valueOf(name: string, entry: SystemConfigEntry): Promise<unknown> {
    const stored = await store.read(name);
    if (stored === undefined) return entry.default;
    const result = entry.schema.safeParse(stored);
    if (result.success) return result.data;
    // Written past this program; the application goes on with what it knows to be right.
    log.warn({ setting: name }, "stored setting is not valid, its default is used");
    return entry.default;
  }

  return {
    /** A setting's value, its default when nobody has set it. */
    async get<Name extends SystemConfigName>(name: Name): Promise<SystemConfigValue<Name>> {
      return (await valueOf(name, systemConfigEntries[name])) as SystemConfigValue<Name>;
    },

    /** What a person may see of a setting. @throws AppError 403, or 404 for a name that is none */
    async show(caller: Caller, name: string): Promise<unknown> {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      // Plain staff learn nothing about which other names there are.
      if (entry?.isForStaff !== true && !caller.roles.includes("systemAdministrator"))
        throw forbidden("Settings need the role systemAdministrator");
      if (!entry) throw notFound(`Setting ${name}`);
      return entry.isSecret ? maskedSecret : await valueOf(name, entry);
    },
  };
}
export type SystemConfig = ReturnType<typeof createSystemConfig>;
