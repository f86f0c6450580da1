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
    postError: ({ body }, { caller }) => messages.post(caller, "error", body.message),
    postWarning: ({ body }, { caller }) => messages.post(caller, "warning", body.message),
    postDebug: ({ body }, { caller }) => messages.post(caller, "debug", body.message),
    reportConsoleError: ({ body }, { caller }) => messages.reportConsoleError(caller, body),
    muteSystemMessage: ({ params, body }, { caller }) => messages.mute(caller, params.id, body.hours),
    sendDebug: (_input, { caller }) => messages.send(caller),
  };
}
