import * as z from "zod/mini";

const HostState = z.object({ online: z.boolean(), timestamp: z.number() });

/** Follows the STATE messages of the primary host; an older or unreadable one counts for nothing. */
export function createHostState() {
  let lastTimestamp = Number.NEGATIVE_INFINITY;
  let isOnline = false;
  return {
    get isOnline() {
      return isOnline;
    },
    /** A new connection learns the state again; the timestamp still may not go back. */
    forget() {
      isOnline = false;
    },
    /** @returns whether the message counted */
    accept(payload: Uint8Array): boolean {
      const state = HostState.safeParse(parseJson(payload));
      if (!state.success || state.data.timestamp < lastTimestamp) return false;
      lastTimestamp = state.data.timestamp;
      isOnline = state.data.online;
      return true;
    },
  };
}

function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
