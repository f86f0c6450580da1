import type { CallInput, CallOutput, Endpoint } from "@busbar/contract/endpoint.ts";
import type { QueryClient } from "@tanstack/react-query";
import type { CallOptions, Client } from "./client.ts";
import { refreshChanged } from "./query-key.ts";

interface FollowOptions {
  /** A call ends once what it changed is shown. */
  isAwaited: boolean;
}

/** The client, whose calls have whatever they change asked for again. */
export function followChanges(client: Client, queries: QueryClient, { isAwaited }: FollowOptions): Client {
  async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<CallOutput<E>> {
    try {
      return await client(endpoint, input, options);
    } finally {
      // Also after a refusal: it may tell of something that the screen does not show yet.
      const refreshed = refreshChanged(queries, endpoint);
      if (isAwaited) await refreshed;
    }
  }
  return Object.assign(call, { bytes: client.bytes, addressFor: client.addressFor });
}
