import type { Socket } from "node:net";
import type { Aedes, Client } from "aedes";
import { writeToStream } from "mqtt-packet";

// What aedes 1.2 has no option for. Its version is pinned and `broker.test.ts` proves that these hooks still hold.
interface Internals {
  _parser?: PacketParser;
  _parsingBatch?: number;
  waitForDrain?(done: () => void): void;
  pause?(): void;
  resume?(): void;
  _keepaliveTimer?: { refresh(): void } | null;
}
interface PacketParser {
  _parseLength?: (this: PacketParser) => boolean;
  parse?: (bytes: Buffer) => number;
  /** Bytes of a packet that has not come whole, and how far it has been read. */
  _list?: { length: number };
  _stateCounter?: number;
  packet: { length: number };
  _emitError(error: Error): boolean;
}

/** Ends a client's publication with its hand-over to ingest: no client may subscribe to another's messages, so there is no one to look for. */
export function deliverNowhere(broker: Aedes): void {
  type Publish = (packet: unknown, client: unknown, done?: (error?: Error) => void) => void;
  const internals = broker as unknown as { publish: Publish };
  const publish = internals.publish.bind(broker);
  internals.publish = (packet, client, done) => {
    if (typeof client === "object" && client !== null) done?.();
    else publish(packet, client, done);
  };
}

/** The library keeps 65,536 buffers for message ids, of which it needs hardly any: acknowledgements of what is stored are not written by it. */
export function keepNoNumbers(): void {
  writeToStream.cacheNumbers = false;
}

/** Refuses a packet by its announced length, before any of it is gathered in memory. */
export function limitPacketBytes(client: Client, maxBytes: () => number): void {
  const parser = (client as unknown as Internals)._parser;
  const parseLength = parser?._parseLength;
  if (parser === undefined || parseLength === undefined) throw new Error("This version of aedes does not let packets be limited");
  parser._parseLength = function parseLimitedLength() {
    if (!parseLength.call(this)) return false;
    if (this.packet.length > maxBytes()) {
      this._emitError(new Error("packet too large"));
      return false;
    }
    return true;
  };
}

/**
 * Lets `createReader` read what comes after the client is connected. What it passes on goes to the library, which also finishes each packet that it
 * has begun.
 */
export function readBefore(client: Client, createReader: (pass: (bytes: Buffer) => void) => (bytes: Buffer) => void): void {
  const parser = (client as unknown as Internals)._parser;
  if (parser?.parse === undefined || parser._list === undefined || parser._stateCounter === undefined)
    throw new Error("This version of aedes does not let bytes be read before it");
  const parse = parser.parse.bind(parser);
  const read = createReader((bytes) => void parse(bytes));
  parser.parse = (bytes) => {
    if (!client.connected || parser._list!.length > 0 || parser._stateCounter !== 0) return parse(bytes);
    keepAlive(client);
    read(bytes);
    return 0;
  };
}

/** Sends bytes beside what the library sends. A client that does not read them is given up as the library gives it up. */
export function writeBeside(client: Client, bytes: Buffer): void {
  if (client.closed) return;
  const socket = client.conn as Socket;
  if (!socket.write(bytes)) (client as unknown as Internals).waitForDrain?.(() => undefined);
}

/** What has been read of a paused client, and may not be taken yet, is read again when the client is resumed. */
export function putBack(client: Client, bytes: Buffer): void {
  (client.conn as Socket).unshift(bytes);
}

/** Nothing more is read of the client; what has been read is still handled. */
export function pauseReading(client: Client): void {
  (client as unknown as Internals).pause?.();
}

/** Reads a paused client again. Its count of packets in work is reset: aedes does not count down while it is paused. */
export function resumeReading(client: Client): void {
  const internals = client as unknown as Internals;
  if (internals._parsingBatch === undefined || !internals.resume) throw new Error("This version of aedes does not let reading be resumed");
  internals._parsingBatch = 1;
  if (!client.closed) internals.resume();
}

/** A client that waits for us is not silent: its pings cannot be read while its messages wait for the database. */
export function keepAlive(client: Client): void {
  (client as unknown as Internals)._keepaliveTimer?.refresh();
}
