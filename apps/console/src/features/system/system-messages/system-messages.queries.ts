import {
  getDebugs,
  getErrors,
  getMutedMessages,
  getWarnings,
  markMessagesSeen,
  muteSystemMessage,
  postDebug,
  postError,
  postWarning,
  sendDebug,
  type DebugSummary,
  type ErrorSummary,
  type MessageKind,
  type SystemMessage,
  type WarningSummary,
} from "@busbar/contract/system/system-messages.ts";
import { useEffect, useState } from "react";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export type { MessageKind };

/** What the three pages have in common. */
export interface Summary extends Omit<ErrorSummary, `error${string}`> {
  countLifetime: number;
  countSinceNotice: number;
  countOverflow: number;
  lastDisplayTimestamp: string | null;
  /** Newest first. */
  messages: [id: string, message: SystemMessage][];
}

const refreshEveryMs: Record<MessageKind, number> = { error: 10_000, warning: 10_000, debug: 5_000 };

/** SYS-04: the debug page is polled every 5 s. */
export function useSystemMessages(kind: MessageKind) {
  const refetchInterval = refreshEveryMs[kind];
  const answers = {
    error: useApiQuery(getErrors, {}, { refetchInterval, enabled: kind === "error", select: summaryOfErrors }),
    warning: useApiQuery(getWarnings, {}, { refetchInterval, enabled: kind === "warning", select: summaryOfWarnings }),
    debug: useApiQuery(getDebugs, {}, { refetchInterval, enabled: kind === "debug", select: summaryOfDebugs }),
  };
  return answers[kind];
}

const newestFirst = (messages: Record<string, SystemMessage>) => Object.entries(messages).sort(([a], [b]) => Number(b) - Number(a));

const summaryOfErrors = (data: ErrorSummary): Summary => ({
  ...data,
  countLifetime: data.errorCountLifetime,
  countSinceNotice: data.errorCountSinceNotice,
  countOverflow: data.errorCountOverflow,
  lastDisplayTimestamp: data.errorLastDisplayTimestamp,
  messages: newestFirst(data.errors),
});
const summaryOfWarnings = (data: WarningSummary): Summary => ({
  ...data,
  countLifetime: data.warningCountLifetime,
  countSinceNotice: data.warningCountSinceNotice,
  countOverflow: data.warningCountOverflow,
  lastDisplayTimestamp: data.warningLastDisplayTimestamp,
  messages: newestFirst(data.warnings),
});
const summaryOfDebugs = (data: DebugSummary): Summary => ({
  ...data,
  countLifetime: data.debugCountLifetime,
  countSinceNotice: data.debugCountSinceNotice,
  countOverflow: data.debugCountOverflow,
  lastDisplayTimestamp: data.debugLastDisplayTimestamp,
  messages: newestFirst(data.debugs),
});

export function usePostMessage(kind: MessageKind) {
  const endpoints = { error: postError, warning: postWarning, debug: postDebug };
  return useApiMutation((call, message: string) => call(endpoints[kind], { body: { message } }));
}

export const useMuteMessage = () =>
  useApiMutation((call, { id, hours }: { id: string; hours: number }) => call(muteSystemMessage, { params: { id }, body: { hours } }));

export const useMutedMessages = () => useApiQuery(getMutedMessages, {}, { refetchInterval: refreshEveryMs.error });

/**
 * The number up to which the person had looked, on whatever device, when the page was opened: what has a higher one is new. What is shown
 * now counts as seen.
 * @param summary as it was asked for since then
 */
export function useSeenThrough(kind: MessageKind, summary: Summary | undefined): number | undefined {
  const { mutate } = useApiMutation((call, id: number) => call(markMessagesSeen, { body: { kind, id } }));
  const [before, setBefore] = useState<number>();
  const newest = Number(summary?.messages[0]?.[0] ?? 0);
  if (summary && before === undefined) setBefore(summary.seenThrough ?? newest);
  const isSeen = !summary || newest <= (summary.seenThrough ?? 0);
  useEffect(() => {
    if (!isSeen) mutate(newest);
  }, [isSeen, newest, mutate]);
  return before;
}

export const useSendDebug = () => useApiMutation((call) => call(sendDebug, {}));
