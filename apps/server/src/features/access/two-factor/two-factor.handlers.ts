import type { Handlers } from "#http/endpoints.ts";
import type { Enrolment } from "./enrolment.service.ts";

export function twoFactorHandlers(enrolment: Enrolment) {
  return {
    beginTwoFactor({ body }, { caller }) {
      return enrolment.begin(caller, body);
    },
    async confirmTwoFactor({ body }, { caller }) {
      return { recoveryCodes: await enrolment.confirm(caller, body.code) };
    },
    async replaceRecoveryCodes({ body }, { caller }) {
      return { recoveryCodes: await enrolment.replaceRecoveryCodes(caller, body.code) };
    },
    async resetUserTwoFactor({ params }, { caller }) {
      await enrolment.reset(caller, params.id, params.code);
      return { reset: true };
    },
  } satisfies Partial<Handlers>;
}
