import type { UserKey } from "@busbar/contract/access/user-keys.ts";
import type { UserKeyRow } from "./user-keys.store.ts";

export const presentKey = ({ id, kind, key, name, scopes, createdAt, expiresAt, lastUsedAt }: UserKeyRow): UserKey => ({
  id,
  kind,
  key,
  name,
  scopes,
  createdTimestamp: Math.floor(createdAt),
  expiry: Math.floor(expiresAt),
  lastUsedTimestamp: lastUsedAt === null ? null : Math.floor(lastUsedAt),
});

/** USR-09: key, name, expiry; a name has no comma. */
export const apiKeyLine = ({ key, name, expiresAt }: UserKeyRow): string =>
  `${key}, ${name}, ${new Date(Math.floor(expiresAt) * 1000).toISOString().replace(".000Z", "Z")}`;
