import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { Client } from "./client.ts";
import { followChanges } from "./follow-changes.ts";

export const ApiContext = createContext<Client | undefined>(undefined);

/** The client as it is: nothing that was answered before is requested again. */
export function useClient(): Client {
  const client = useContext(ApiContext);
  if (!client) throw new Error("No API client above this component");
  return client;
}

/** Calls the API as the signed-in person; what a call changes is requested again. */
export function useApi(): Client {
  const client = useClient();
  const queries = useQueryClient();
  return useMemo(() => followChanges(client, queries, { isAwaited: false }), [client, queries]);
}

/** The same for answers that are bytes: files and packages. */
export function useApiBytes(): Client["bytes"] {
  return useClient().bytes;
}
