import { numberProblem } from "@busbar/contract/values/plain-number.ts";
import {
  maskedSecret,
  systemConfigEntries,
  type SettingTexts,
  type ShownSetting,
  type SystemConfigEntry,
  type SystemConfigName,
  type SystemConfigValue,
} from "@busbar/contract/system/system-config.ts";
import type { Pool } from "#db/pool.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, forbidden, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { Log } from "#lib/log.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { settingFromText, settingToText } from "./setting-text.ts";
import type { SystemConfigStore } from "./system-config.store.ts";

export interface SystemConfigDependencies {
  pool: Pool;
  store: SystemConfigStore;
  log: Log;
  /** What settings there are; the contract's unless a test has its own. */
  entries?: Readonly<Record<string, SystemConfigEntry>>;
}

/** Settings that may change while the application runs. */
export function createSystemConfig({ pool, store, log, entries = systemConfigEntries }: SystemConfigDependencies) {
  /** Unusable values that are in the log already. */
  const logged = new Map<string, string>();

  async function valueOf(name: string, entry: SystemConfigEntry): Promise<unknown> {
    return usable(name, entry, await store.read(name));
  }

  function usable(name: string, entry: SystemConfigEntry, stored: unknown): unknown {
    if (stored === undefined) return entry.default;
    const result = entry.schema.safeParse(stored);
    if (result.success) return result.data;
    // Written past this program; the application goes on with what it knows to be right. Services read it again and again.
    const text = JSON.stringify(stored);
    if (logged.get(name) !== text) log.warn({ setting: name }, `stored setting ${name} is not valid, its default is used`);
    logged.set(name, text);
    return entry.default;
  }

  return {
    /** A setting's value, its default when no one has set it. */
    async get<Name extends SystemConfigName>(name: Name): Promise<SystemConfigValue<Name>> {
      return (await valueOf(name, systemConfigEntries[name])) as SystemConfigValue<Name>;
    },

    /** What a person may see of a setting. @throws AppError 403, or 404 for a name that is none */
    async show(caller: Caller, name: string): Promise<unknown> {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      // Plain staff learn nothing about which other names there are.
      if (entry?.isForStaff !== true && !caller.roles.includes("systemAdministrator"))
        throw forbidden(say`Settings need the role systemAdministrator`);
      if (!entry) throw notFound(say`Setting ${name}`);
      return entry.isSecret ? maskedSecret : await valueOf(name, entry);
    },

    /** SYS-05: everything that can be set, secrets masked. */
    async showAll(): Promise<Record<string, ShownSetting>> {
      const stored = await store.readAll();
      return Object.fromEntries(
        Object.entries(entries).map(([name, entry]) => {
          const value = entry.isSecret ? maskedSecret : settingToText(entry.type, usable(name, entry, stored.get(name)?.value));
          const { type, description, isSecret } = entry;
          return [name, { value, type, description, isSecret, isDefault: !stored.has(name), revision: stored.get(name)?.revision ?? 0 }];
        }),
      );
    },

    /**
     * Changes what differs, all or nothing.
     * @param seenRevision the highest that the caller has seen; by default all
     * @throws AppError 400 that names the setting, 409 for one that someone else changed since
     */
    async update(caller: Caller, texts: SettingTexts, seenRevision = Number.POSITIVE_INFINITY): Promise<string[]> {
      return inTransaction(pool, async (client) => {
        await store.lockForWriting(client);
        const stored = await store.readAll(client);
        const before: Record<string, string> = {};
        const after: Record<string, string> = {};
        const changed = new Map<string, unknown>();
        for (const [name, text] of Object.entries(texts)) {
          const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
          if (!entry) throw invalid(name, "is no setting");
          if (entry.isSecret && text === maskedSecret) continue;
          const next = checked(name, entry, text);
          const known = stored.get(name);
          const current = usable(name, entry, known?.value);
          if (sameValue(known ? known.value : current, next)) continue;
          if (known && known.revision > seenRevision)
            throw conflict(`${known.updatedBy || "Someone"} changed ${name} meanwhile. Load the settings again and repeat your change`);
          changed.set(name, next);
          before[name] = entry.isSecret ? maskedSecret : settingToText(entry.type, current);
          after[name] = entry.isSecret ? maskedSecret : settingToText(entry.type, next);
        }
        if (changed.size === 0) return [];
        await store.write(client, changed, caller.username);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_SYSTEM_CONFIG",
          description: `Changed ${[...changed.keys()].join(", ")}`,
          before,
          after,
        });
        return [...changed.keys()];
      });
    },

    /** Settings are read when they are needed; this says what the database holds and which of it cannot be used. */
    async reload(): Promise<{ loaded: number; invalid: string[] }> {
      const stored = await store.readAll();
      const unusable = [...stored].filter(
        ([name, { value }]) => !Object.hasOwn(entries, name) || !entries[name]?.schema.safeParse(value).success,
      );
      return { loaded: stored.size, invalid: unusable.map(([name]) => name) };
    },
  };
}

function checked(name: string, entry: SystemConfigEntry, text: string): unknown {
  const value = settingFromText(entry.type, text);
  const words = { text: "is a text", number: numberProblem(text), flag: "is true or false", list: "is a list in JSON" };
  if (value === undefined) throw invalid(name, words[entry.type]);
  const result = entry.schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalid([name, ...(issue?.path ?? [])].join("."), issue?.message ?? "is not valid");
}

const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
export type SystemConfig = ReturnType<typeof createSystemConfig>;
