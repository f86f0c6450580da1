import { createContext, useContext } from "react";
import type { Client } from "./client.ts";

export const ApiContext = createContext<Client | undefined>(undefined);

/** The client that calls the API as the signed-in person. */
export function useApi(): Client {
  const client = useContext(ApiContext);
  if (!client) throw new Error("No API client above this component");
  return client;
}

/** The same for answers that are bytes: files and packages. */
export function useApiBytes(): Client["bytes"] {
  return useApi().bytes;
}
