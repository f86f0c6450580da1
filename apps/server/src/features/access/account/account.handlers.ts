import type { Handlers } from "#http/endpoints.ts";
import { requireCaller } from "#http/require-caller.ts";
import type { AccountService } from "./account.service.ts";

export function accountHandlers(
  account: AccountService,
): Pick<Handlers, "getAccount" | "changeOwnPassword" | "getOwnSessions" | "endOwnSession" | "endOtherSessions"> {
  return {
    getAccount(_input, call) {
      return account.describe(requireCaller(call));
    },
    async changeOwnPassword({ body }, call) {
      await account.changePassword(requireCaller(call), body.currentPassword, body.newPassword);
      return { changed: true };
    },
    getOwnSessions(_input, call) {
      return account.listSessions(requireCaller(call));
    },
    async endOwnSession({ params }, call) {
      await account.endSession(requireCaller(call), params.sessionId);
      return { ended: true };
    },
    async endOtherSessions(_input, call) {
      return { endedCount: await account.endOthers(requireCaller(call)) };
    },
  };
}
