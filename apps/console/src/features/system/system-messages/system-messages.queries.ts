import {
  getDebugs,
  getErrors,
  getWarnings,
  muteSystemMessage,
  postDebug,
  postError,
  postWarning,
  sendDebug,
} from "@busbar/contract/system/system-messages.ts";
import type { DebugSummary, ErrorSummary, SystemMessage, WarningSummary } from "@busbar/contract/system/system-messages.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

export type MessageKind = "error" | "warning" | "debug";

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
const queryKey = (kind: MessageKind) => ["system-messages", kind];

/** SYS-04: the debug page is polled every 5 s. */
export function useSystemMessages(kind: MessageKind) {
  const call = useApi();
  return useQuery({
    queryKey: queryKey(kind),
    queryFn: ({ signal }) => readers[kind](call, signal),
    refetchInterval: refreshEveryMs[kind],
  });
}

const readers: Record<MessageKind, (call: Client, signal: AbortSignal) => Promise<Summary>> = {
  error: async (call, signal) => summaryOfErrors(await call(getErrors, {}, { signal })),
  warning: async (call, signal) => summaryOfWarnings(await call(getWarnings, {}, { signal })),
  debug: async (call, signal) => summaryOfDebugs(await call(getDebugs, {}, { signal })),
};

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
  const call = useApi();
  const queries = useQueryClient();
  const endpoints = { error: postError, warning: postWarning, debug: postDebug };
  return useMutation({
    mutationFn: (message: string) => call(endpoints[kind], { body: { message } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey(kind) }),
  });
}

export function useMuteMessage(kind: MessageKind) {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, hours }: { id: string; hours: number }) => call(muteSystemMessage, { params: { id }, body: { hours } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey(kind) }),
  });
}

export function useSendDebug() {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(sendDebug, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["system-messages"] }),
  });
}
