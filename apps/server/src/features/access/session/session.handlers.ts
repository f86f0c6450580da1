import type { Handlers } from "#http/endpoints.ts";
import type { Log } from "#lib/log.ts";
import type { SessionService } from "./session.service.ts";

export interface ClientLabel {
  /** What a console of this installation sends at sign-in: a label without power (LOG-07). */
  initialCredential: string;
  log: Log;
}

export function sessionHandlers(service: SessionService, { initialCredential, log }: ClientLabel) {
  return {
    createAdministratorSession({ body }, call) {
      if (call.headers["authorization"] !== `Bearer ${initialCredential}`) log.debug("sign-in by another client than our console");
      return service.login(body, call);
    },
    async refreshSession({ body }, call) {
      return await service.refresh(call.caller, body.duration, call);
    },
    async revokeSession(_input, call) {
      await service.revoke(call.caller);
      return { revoked: true };
    },
  } satisfies Partial<Handlers>;
}
