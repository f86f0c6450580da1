import type { Handlers } from "#http/endpoints.ts";
import { unauthorized } from "#lib/errors.ts";
import type { SessionService } from "./session.service.ts";

export function sessionHandlers(
  service: SessionService,
): Pick<Handlers, "createAdministratorSession" | "refreshSession" | "revokeSession"> {
  return {
    createAdministratorSession: ({ body }, call) => service.login(body, call),
    async refreshSession({ body }, call) {
      if (!call.caller) throw unauthorized();
      return await service.refresh(call.caller, body.duration, call);
    },
    async revokeSession(_input, call) {
      if (!call.caller) throw unauthorized();
      await service.revoke(call.caller);
      return { revoked: true };
    },
  };
}
