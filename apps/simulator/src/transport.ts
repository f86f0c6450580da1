/** What a node needs to connect: MQTT 3.1.1, clean session. */
export interface ConnectRequest {
  /** Client id and user name: the serial number. */
  clientId: string;
  password: string;
  will: { topic: string; payload: Uint8Array };
  /** Topics, each with QoS 1. */
  subscriptions: readonly string[];
}

export interface TransportEvents {
  /** Connected and subscribed. */
  onOpen(): void;
  onMessage(topic: string, payload: Uint8Array): void;
  /** The connection is gone or was refused. Not called after `close` or `abort`. */
  onClose(reason: string): void;
}

/** One node's connection to the broker. */
export interface Transport {
  open(request: ConnectRequest): void;
  /** False while there is no connection or its peer has stopped reading: keep the data. */
  canPublish(): boolean;
  /** Copies the payload before it returns. */
  publish(topic: string, payload: Uint8Array, qos: 0 | 1): void;
  /** DISCONNECT: the broker drops the Will. Resolves when the connection is gone. */
  close(): Promise<void>;
  /** Vanishes without a word, as after a power cut: the broker sends the Will. */
  abort(): void;
}

export type TransportFactory = (events: TransportEvents) => Transport;
