import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { stateTopic } from "@busbar/sparkplug/topic.ts";
import type { ConnectRequest, TransportEvents, TransportFactory } from "#src/transport.ts";

/** A connection that a test holds in its hands: nothing happens on it by itself. */
export interface ManualWire {
  readonly create: TransportFactory;
  readonly opened: ConnectRequest[];
  readonly published: { topic: string; payload: Uint8Array }[];
  takesData: boolean;
  accept(): void;
  refuse(): void;
  host(isOnline: boolean, timestamp?: number): void;
}

export function createManualWire(): ManualWire {
  let events: TransportEvents | undefined;
  const wire: ManualWire = {
    opened: [],
    published: [],
    takesData: true,
    create: (listeners) => {
      events = listeners;
      return {
        open: (request) => void wire.opened.push(request),
        canPublish: () => wire.takesData,
        publish: (topic, payload) => void wire.published.push({ topic, payload: payload.slice() }),
        close: () => Promise.resolve(),
        abort: () => undefined,
      };
    },
    accept: () => events?.onOpen(),
    refuse: () => events?.onClose("refused"),
    host: (isOnline, timestamp = 1) =>
      events?.onMessage(stateTopic(sparkplugHostId), new TextEncoder().encode(JSON.stringify({ online: isOnline, timestamp }))),
  };
  return wire;
}
