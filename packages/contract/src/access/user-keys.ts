import * as z from "zod/mini";
import { endpoint, keyScopes } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

export const keyKinds = ["api", "access"] as const;
export type KeyKind = (typeof keyKinds)[number];

export const longestKeyDays = 1_095;

export const KeyName = z
  .string("A name is required")
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "A name has 1 to 64 letters, digits, _ and -"));

const byUser = z.object({ id: EntityId });
const byName = z.object({ id: EntityId, name: KeyName });

/** All optional: the calls of the texts have an empty body. */
export const KeyTerms = z.strictObject({
  scopes: z._default(
    z
      .array(z.enum(keyScopes, "scopes are read and upload"), "scopes is a list")
      .check(z.minLength(1, "scopes names at least one"), z.maxLength(keyScopes.length, "scopes names each once")),
    [...keyScopes],
  ),
  expiresInDays: z._default(
    z
      .int("expiresInDays is a whole number")
      .check(z.minimum(1, "expiresInDays is at least 1"), z.maximum(longestKeyDays, `expiresInDays is at most ${longestKeyDays}`)),
    365,
  ),
});

/** What is kept of a key: never its secret part. Times in epoch seconds. */
export const UserKey = z.object({
  id: z.int(),
  kind: z.enum(keyKinds),
  /** Its public part: the beginning of an API key, the whole of an access key. */
  key: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdTimestamp: EpochSeconds,
  expiry: z.int(),
  lastUsedTimestamp: z.nullable(EpochSeconds),
});
export type UserKey = z.infer<typeof UserKey>;

export const getApiKeys = endpoint("GET /api/users/{id}/apikeys", {
  access: "staff",
  summary: "API keys of a user, each as `key, name, expiry`: the key's public beginning, its name, an ISO 8601 time",
  params: byUser,
  data: z.array(z.string()),
});

export const createApiKey = endpoint("POST /api/users/{id}/apikeys/{name}", {
  access: "staff",
  summary: "Make an API key; the whole key is shown in this answer only",
  changes: ["/users/{id}/apikeys", "/users/{id}/keys"],
  params: byName,
  body: KeyTerms,
  data: z.object({ key: z.string(), name: z.string(), expiry: z.int() }),
});

export const createAccessKey = endpoint("POST /api/users/{id}/accesskeys/{name}", {
  access: "staff",
  summary: "Make an access key; the secret token is shown in this answer only",
  changes: ["/users/{id}/apikeys", "/users/{id}/keys"],
  params: byName,
  body: KeyTerms,
  data: z.object({ accessKey: z.string(), secretToken: z.string(), name: z.string(), expiry: z.int() }),
});

export const getUserKeys = endpoint("GET /api/users/{id}/keys", {
  access: "staff",
  summary: "API and access keys of a user that are not revoked, newest first",
  params: byUser,
  data: z.array(UserKey),
});

export const revokeUserKey = endpoint("DELETE /api/users/{id}/keys/{keyId}", {
  access: "staff",
  summary: "Revoke a key: it is refused from now on",
  changes: ["/users/{id}/apikeys", "/users/{id}/keys"],
  params: z.object({ id: EntityId, keyId: EntityId }),
  data: z.object({ revoked: z.literal(true) }),
});
