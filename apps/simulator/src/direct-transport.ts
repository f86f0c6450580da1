import type { TransportFactory } from "./transport.ts";

/** Takes what the nodes publish, in the same process. The payload is valid during the call only. */
export type Deliver = (topic: string, payload: Uint8Array) => void;

/**
 * Connections without sockets: for loads beyond what sockets carry, and for measuring the nodes alone.
 * The host is always there. A vanished node's Will is delivered, as a broker would.
 */
export function createDirectTransportFactory(deliver: Deliver, hostTopic: string): TransportFactory {
  const online = new TextEncoder().encode(JSON.stringify({ online: true, timestamp: 0 }));
  return (events) => {
    let will: { topic: string; payload: Uint8Array } | undefined;
    let connection = 0;
    return {
      open(request) {
        will = request.will;
        const opened = ++connection;
        queueMicrotask(() => {
          if (opened !== connection || !will) return;
          events.onOpen();
          events.onMessage(hostTopic, online);
        });
      },
      canPublish: () => will !== undefined,
      publish: (topic, payload) => deliver(topic, payload),
      close() {
        will = undefined;
        return Promise.resolve();
      },
      abort() {
        if (will) deliver(will.topic, will.payload);
        will = undefined;
      },
    };
  };
}
