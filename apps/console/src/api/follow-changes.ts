import type { CallInput, CallOutput, Endpoint } from "@busbar/contract/endpoint.ts";
import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#lib/api-error.ts";
import type { CallOptions, Client } from "./client.ts";
import { refreshChanged } from "./query-key.ts";

interface FollowOptions {
  /** A call ends once what it changed is shown. */
  isAwaited: boolean;
}

/** The client, whose calls have whatever they change requested again. */
export function followChanges(client: Client, queries: QueryClient, { isAwaited }: FollowOptions): Client {
  async function call<E extends Endpoint, Data = CallOutput<E>>(
    endpoint: E,
    input: CallInput<E>,
    options?: CallOptions<Data>,
  ): Promise<Data> {
    const answer = await client(endpoint, input, options).catch((error: unknown) => {
      // A refusal may be due to something that the screen does not show yet; whoever was turned away learns it without waiting.
      if (!isTurnedAway(error)) void refreshChanged(queries, endpoint);
      throw error;
    });
    const refreshed = refreshChanged(queries, endpoint);
    if (isAwaited) await refreshed;
    return answer;
  }
  return Object.assign(call, { bytes: client.bytes, addressFor: client.addressFor });
}

/** Not signed in, not permitted, a wrong code or password, or too often: nothing was looked at. */
const isTurnedAway = (error: unknown): boolean => error instanceof ApiError && [401, 403, 429].includes(error.status);
