import type { Handlers } from "#http/endpoints.ts";
import { wholeApiKey } from "./key-format.ts";
import type { UserKeys } from "./user-keys.service.ts";
import { apiKeyLine, presentKey } from "./user-keys.view.ts";

export function userKeysHandlers(keys: UserKeys) {
  return {
    async getApiKeys({ params }) {
      const all = await keys.list(params.id);
      return all.filter(({ kind }) => kind === "api").map(apiKeyLine);
    },
    async createApiKey({ params: { id, name }, body }, { caller }) {
      const made = await keys.create(caller, { kind: "api", userId: id, name, ...body });
      return { key: wholeApiKey(made), name, expiry: made.expiresAt };
    },
    async createAccessKey({ params: { id, name }, body }, { caller }) {
      const made = await keys.create(caller, { kind: "access", userId: id, name, ...body });
      return { accessKey: made.key, secretToken: made.secret, name, expiry: made.expiresAt };
    },
    async getUserKeys({ params }) {
      const all = await keys.list(params.id);
      return all.map(presentKey);
    },
    async revokeUserKey({ params }, { caller }) {
      await keys.revoke(caller, params.id, params.keyId);
      return { revoked: true };
    },
  } satisfies Partial<Handlers>;
}
