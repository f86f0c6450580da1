import type { Handlers } from "#http/endpoints.ts";
import type { SystemMessages } from "./system-messages.service.ts";

export function systemMessagesHandlers(messages: SystemMessages) {
  return {
    async getErrors(_input, { caller }) {
      const { figures, counts, lastDisplayTimestamp, seenThrough, messages: errors } = await messages.summary(caller, "error");
      return {
        ...figures,
        errorCountLifetime: counts.lifetime,
        errorLastTimestamp: counts.lastAt,
        errorCountSinceNotice: counts.sinceNotice,
        errorCountOverflow: counts.overflow,
        errorLastDisplayTimestamp: lastDisplayTimestamp,
        seenThrough,
        errors,
      };
    },
    async getWarnings(_input, { caller }) {
      const { figures, counts, lastDisplayTimestamp, seenThrough, messages: warnings } = await messages.summary(caller, "warning");
      return {
        ...figures,
        warningCountLifetime: counts.lifetime,
        warningLastTimestamp: counts.lastAt,
        warningCountSinceNotice: counts.sinceNotice,
        warningCountOverflow: counts.overflow,
        warningLastDisplayTimestamp: lastDisplayTimestamp,
        seenThrough,
        warnings,
      };
    },
    async getDebugs(_input, { caller }) {
      const { figures, counts, lastDisplayTimestamp, seenThrough, messages: debugs } = await messages.summary(caller, "debug");
      return {
        ...figures,
        debugCountLifetime: counts.lifetime,
        debugLastTimestamp: counts.lastAt,
        debugCountSinceNotice: counts.sinceNotice,
        debugCountOverflow: counts.overflow,
        debugLastDisplayTimestamp: lastDisplayTimestamp,
        seenThrough,
        debugs,
      };
    },
    postError: ({ body }, { caller }) => messages.post(caller, "error", body.message),
    postWarning: ({ body }, { caller }) => messages.post(caller, "warning", body.message),
    postDebug: ({ body }, { caller }) => messages.post(caller, "debug", body.message),
    reportConsoleError: ({ body }, { caller }) => messages.reportConsoleError(caller, body),
    getMutedMessages: () => messages.muted(),
    markMessagesSeen: ({ body }, { caller }) => messages.markSeen(caller, body.kind, body.id),
    muteSystemMessage: ({ params, body }, { caller }) => messages.mute(caller, params.id, body.hours),
    sendDebug: (_input, { caller }) => messages.send(caller),
  } satisfies Partial<Handlers>;
}
