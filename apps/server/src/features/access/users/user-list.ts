import { createHash } from "node:crypto";
import type { Encoding } from "#http/compression.ts";
import type { PreparedAnswer } from "#http/endpoints.ts";
import { answerPrepared, type PreparedBody } from "#http/prepared-body.ts";
import type { UsersStore } from "./users.store.ts";
import { presentUser } from "./users.view.ts";

/** All users: read for every call, but compressed once and sent only to who has not these contents already. */
export function createUserList(store: Pick<UsersStore, "findAll">) {
  let last: PreparedBody | undefined;
  return async (encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> => {
    const body = Buffer.from(JSON.stringify({ data: (await store.findAll()).map(presentUser) }));
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    if (last?.hash !== hash) last = { hash, body, encoded: new Map() };
    return await answerPrepared(last, encoding, ifNoneMatch);
  };
}
export type UserList = ReturnType<typeof createUserList>;
