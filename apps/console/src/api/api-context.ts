import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import type { Client } from "./client.ts";
import { followChanges } from "./follow-changes.ts";
import { refreshChanged } from "./query-key.ts";

export const ApiContext = createContext<Client | undefined>(undefined);

/** The client as it is: nothing that was answered before is requested again. */
export function useClient(): Client {
  const client = useContext(ApiContext);
  if (!client) throw new Error("No API client above this component");
  return client;
}

/** Calls the API as the signed-in person; what a call changes is requested again, and awaited where that is asked for. */
export function useApi({ isAwaited = false } = {}): Client {
  const client = useClient();
  const queries = useQueryClient();
  return useMemo(() => followChanges(client, queries, { isAwaited }), [client, queries, isAwaited]);
}

/** The same for answers that are bytes: files and packages. */
export function useApiBytes(): Client["bytes"] {
  return useClient().bytes;
}

/** After a call of bytes whose answer was read: what it changed is requested again; resolves once that is there. */
export function useRefreshChanged(): (endpoint: Endpoint) => Promise<void> {
  const queries = useQueryClient();
  return (endpoint) => refreshChanged(queries, endpoint);
}
