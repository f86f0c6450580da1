import type { Client } from "aedes";
import type { Clock } from "#lib/clock.ts";
import { pauseReading, resumeReading } from "./aedes-internals.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

/** One client's share in the flow. */
export interface ClientFlow {
  client: Client;
  rate: TokenBucket;
  /** Messages that are not settled yet. */
  waiting: number;
  isPaused: boolean;
  pausedUntil: number;
  timer: NodeJS.Timeout | undefined;
}

export interface FlowControl {
  open(client: Client): ClientFlow;
  close(flow: ClientFlow): void;
  /** Whether the next message of the client may be read; else it is paused until it may. */
  mayRead(flow: ClientFlow): boolean;
  /** Before a message is handed on, and once it is settled. */
  begin(flow: ClientFlow): void;
  end(flow: ClientFlow): void;
}

export interface FlowControlOptions {
  clock: Clock;
  messagesPerSecond: number;
  maxWaitingPerClient: number;
  /** Ingest holds all that it may hold. */
  isFull: () => boolean;
  whenRoom: (resume: () => void) => void;
}

/**
 * Stops reading a client that sends too fast, has too much unsettled, or meets a full ingest. What it sends then stays in its own
 * socket, and nothing is lost.
 */
export function createFlowControl(options: FlowControlOptions): FlowControl {
  const { clock, messagesPerSecond, maxWaitingPerClient, isFull, whenRoom } = options;
  /** Those that wait for nothing but room, in their order. */
  const due = new Set<ClientFlow>();
  let isResuming = false;

  const resumeDue = () => {
    for (const flow of due) {
      // Each of them may fill the room again.
      if (isFull()) return whenRoom(resumeSoon);
      due.delete(flow);
      flow.isPaused = false;
      resumeReading(flow.client);
    }
    isResuming = false;
  };

  // One COMMIT makes room for thousands of messages: a client is then read as far as it has sent, instead of one message at a time.
  const resumeSoon = () => void setImmediate(resumeDue);

  const tryResume = (flow: ClientFlow) => {
    if (!flow.isPaused || flow.waiting > maxWaitingPerClient / 2) return;
    const aheadMs = flow.pausedUntil - clock.monotonic();
    if (aheadMs > 0) return resumeLater(flow, aheadMs);
    due.add(flow);
    if (isResuming) return;
    isResuming = true;
    resumeSoon();
  };

  const resumeLater = (flow: ClientFlow, delayMs: number) => {
    flow.timer ??= setTimeout(() => {
      flow.timer = undefined;
      tryResume(flow);
    }, delayMs).unref();
  };

  const pause = (flow: ClientFlow) => {
    if (flow.isPaused) return;
    flow.isPaused = true;
    pauseReading(flow.client);
  };

  return {
    open: (client) => ({
      client,
      rate: createTokenBucket(messagesPerSecond),
      waiting: 0,
      isPaused: false,
      pausedUntil: 0,
      timer: undefined,
    }),
    close(flow) {
      clearTimeout(flow.timer);
      flow.isPaused = false;
      due.delete(flow);
    },
    mayRead(flow) {
      if (flow.isPaused) return false;
      if (!isFull()) return true;
      pause(flow);
      tryResume(flow);
      return false;
    },
    begin(flow) {
      flow.waiting++;
      const now = clock.monotonic();
      const aheadMs = flow.rate.take(now);
      if (aheadMs > 0) {
        flow.pausedUntil = now + aheadMs;
        resumeLater(flow, aheadMs);
      }
      if (aheadMs > 0 || flow.waiting >= maxWaitingPerClient) pause(flow);
    },
    end(flow) {
      flow.waiting--;
      tryResume(flow);
    },
  };
}
