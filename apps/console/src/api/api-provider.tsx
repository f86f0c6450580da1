import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiContext } from "./api-context.ts";
import { isWorthRetrying } from "#lib/api-error.ts";
import type { Client } from "./client.ts";

// COM-04: without a network a call fails and says so. Else it would wait unseen, and a change be sent whenever the network is back.
const networkMode = "always";
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, refetchOnWindowFocus: true, refetchOnReconnect: true, networkMode },
    mutations: { networkMode },
  },
});

export function ApiProvider({ call, children }: { call: Client; children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <ApiContext value={call}>{children}</ApiContext>
    </QueryClientProvider>
  );
}

/** The session is over: nothing that it was answered is left. */
export const forgetSession = (): void => queries.clear();

/** The same person is there again: what is shown is asked for anew, and stays meanwhile. */
export const askAgain = (): void => void queries.invalidateQueries();

/** Has every answer requested again by the screen that is made next. */
export function useForgetAnswers(): () => void {
  const client = useQueryClient();
  return () => client.removeQueries();
}
