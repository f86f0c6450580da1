import type { Handlers } from "#http/endpoints.ts";
import { requireCaller } from "#http/require-caller.ts";
import type { Enrolment } from "./enrolment.service.ts";

export function twoFactorHandlers(
  enrolment: Enrolment,
): Pick<Handlers, "beginTwoFactor" | "confirmTwoFactor" | "replaceRecoveryCodes" | "resetUserTwoFactor"> {
  return {
    beginTwoFactor({ body }, call) {
      return enrolment.begin(requireCaller(call), body);
    },
    async confirmTwoFactor({ body }, call) {
      return { recoveryCodes: await enrolment.confirm(requireCaller(call), body.code) };
    },
    async replaceRecoveryCodes({ body }, call) {
      return { recoveryCodes: await enrolment.replaceRecoveryCodes(requireCaller(call), body.code) };
    },
    async resetUserTwoFactor({ params }, call) {
      await enrolment.reset(requireCaller(call), params.id, params.code);
      return { reset: true };
    },
  };
}
