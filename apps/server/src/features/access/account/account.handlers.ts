import type { Handlers } from "#http/endpoints.ts";
import type { AccountService } from "./account.service.ts";

export function accountHandlers(account: AccountService) {
  return {
    getAccount(_input, { caller }) {
      return account.describe(caller);
    },
    async changeOwnPassword({ body }, { caller }) {
      await account.changePassword(caller, body.currentPassword, body.newPassword);
      return { changed: true };
    },
    getOwnSessions(_input, { caller }) {
      return account.listSessions(caller);
    },
    async endOwnSession({ params }, { caller }) {
      await account.endSession(caller, params.sessionId);
      return { ended: true };
    },
    async endOtherSessions(_input, { caller }) {
      return { endedCount: await account.endOthers(caller) };
    },
  } satisfies Partial<Handlers>;
}
