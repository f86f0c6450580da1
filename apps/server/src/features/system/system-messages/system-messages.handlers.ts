import { callerOf } from "#http/endpoints.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { SystemMessages } from "./system-messages.service.ts";

type Names =
  | "getErrors"
  | "getWarnings"
  | "getDebugs"
  | "postError"
  | "postWarning"
  | "postDebug"
  | "reportConsoleError"
  | "muteSystemMessage"
  | "sendDebug";

export function systemMessagesHandlers(messages: SystemMessages): Pick<Handlers, Names> {
  return {
    async getErrors() {
      const { figures, counts, lastDisplayTimestamp, messages: errors } = await messages.summary("error");
      return {
        ...figures,
        errorCountLifetime: counts.lifetime,
        errorLastTimestamp: counts.lastAt,
        errorCountSinceNotice: counts.sinceNotice,
        errorCountOverflow: counts.overflow,
        errorLastDisplayTimestamp: lastDisplayTimestamp,
        errors,
      };
    },
    async getWarnings() {
      const { figures, counts, lastDisplayTimestamp, messages: warnings } = await messages.summary("warning");
      return {
        ...figures,
        warningCountLifetime: counts.lifetime,
        warningLastTimestamp: counts.lastAt,
        warningCountSinceNotice: counts.sinceNotice,
        warningCountOverflow: counts.overflow,
        warningLastDisplayTimestamp: lastDisplayTimestamp,
        warnings,
      };
    },
    async getDebugs() {
      const { figures, counts, lastDisplayTimestamp, messages: debugs } = await messages.summary("debug");
      return {
        ...figures,
        debugCountLifetime: counts.lifetime,
        debugLastTimestamp: counts.lastAt,
        debugCountSinceNotice: counts.sinceNotice,
        debugCountOverflow: counts.overflow,
        debugLastDisplayTimestamp: lastDisplayTimestamp,
        debugs,
      };
    },
    postError: ({ body }, call) => messages.post(callerOf(call), "error", body.message),
    postWarning: ({ body }, call) => messages.post(callerOf(call), "warning", body.message),
    postDebug: ({ body }, call) => messages.post(callerOf(call), "debug", body.message),
    reportConsoleError: ({ body }, call) => messages.reportConsoleError(callerOf(call), body),
    muteSystemMessage: ({ params, body }, call) => messages.mute(callerOf(call), params.id, body.hours),
    sendDebug: (_input, call) => messages.send(callerOf(call)),
  };
}
