import type { Socket } from "node:net";
import type { Aedes, Client } from "aedes";
import { parser as createParser, writeToStream } from "mqtt-packet";

// What aedes 1.2 has no option for. Its version is pinned and `broker.test.ts` proves that these hooks still hold.
interface Internals {
  _parser?: PacketParser;
  _parsingBatch?: number;
  waitForDrain?(done: () => void): void;
  pause?(): void;
  resume?(): void;
  _keepaliveTimer?: { refresh(): void } | null;
  _eos?: () => void;
}
/** Of a CONNECT packet, what its later packets are read by. */
interface Settings {
  protocolVersion: number | undefined;
  bridgeMode: boolean | undefined;
}
interface PacketParser {
  client: Client;
  /** Ours; undefined where the library reads everything. */
  reader?: ClientReader;
  _parseLength(): boolean;
  parse(bytes: Buffer): number;
  /** Bytes of a packet that has not come whole, and how far it has been read. */
  _list: { length: number };
  _stateCounter: number;
  packet: { length: number };
  /** The CONNECT packet, once there is one. */
  settings: Settings;
  _resetState(): void;
  _emitError(error: Error): boolean;
}

/** What reads a connected client before the library does. */
export interface ClientReader {
  /** Longer packets are refused. */
  readonly maxPacketBytes: number;
  read(bytes: Buffer): void;
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

const library = Object.getPrototypeOf(createParser()) as PacketParser;
/** In place of what the library keeps for packets of a client that sends it none. */
const nothing = { length: 0 };
const noPacket = { length: -1 };

/**
 * Lets `reader` read what comes after the client is connected; what it passes on goes to the library, which also finishes each packet that it has
 * begun. Refuses a packet by its announced length, before any of it is gathered in memory.
 */
export function readBefore(client: Client, reader: ClientReader): void {
  const parser = (client as unknown as Internals)._parser;
  if (parser?._list === undefined || typeof library.parse !== "function" || typeof library._parseLength !== "function")
    throw new Error("This version of aedes does not let bytes be read before it");
  parser.reader = reader;
  parser._parseLength = parseLimitedLength;
  parser.parse = parseAfterReader;
}

function parseLimitedLength(this: PacketParser): boolean {
  if (!library._parseLength.call(this)) return false;
  if (this.packet.length > this.reader!.maxPacketBytes) {
    this._emitError(new Error("packet too large"));
    return false;
  }
  return true;
}

function parseAfterReader(this: PacketParser, bytes: Buffer): number {
  const { client, reader } = this;
  if (!client.connected || this._list.length > 0 || this._stateCounter !== 0) return library.parse.call(this, bytes);
  keepAlive(client);
  reader!.read(bytes);
  if (this._list.length === 0 && this._stateCounter === 0) {
    this._list = nothing;
    this.packet = noPacket;
  }
  return 0;
}

/**
 * Lets go of what only the beginning of a connection needs: its CONNECT packet and a third of the listeners of its socket, whose end must be
 * noticed by who made it.
 */
export function keepLittle(client: Client): void {
  const internals = client as unknown as Internals;
  const { _parser: parser, _eos: stopListening } = internals;
  if (parser?.settings === undefined || stopListening === undefined)
    throw new Error("This version of aedes does not let go of what a connection began with");
  const { protocolVersion, bridgeMode } = parser.settings;
  parser.settings = { protocolVersion, bridgeMode };
  stopListening();
  internals._eos = noMore;
}
const noMore = () => {};

/** Hands bytes of a client with a reader to the library. */
export function readByLibrary(client: Client, bytes: Buffer): void {
  const parser = (client as unknown as Internals)._parser!;
  if (parser._list === nothing) parser._resetState();
  library.parse.call(parser, bytes);
}

/** The client that the library made of a socket, if it has. */
export const clientOf = (socket: Socket): Client | undefined => (socket as Socket & { client?: Client }).client;

/** Filters that a client is subscribed to. */
export const subscriptionsOf = (client: Client): readonly string[] =>
  Object.keys((client as unknown as { subscriptions: object }).subscriptions);

/** Sends bytes beside what the library sends. A client that does not read them is given up as the library gives it up. */
export function writeBeside(client: Client, bytes: Buffer): void {
  if (client.closed) return;
  const socket = client.conn as Socket;
  if (!socket.write(bytes)) (client as unknown as Internals).waitForDrain?.(() => undefined);
}

/** What has been read of a paused client, and may not be taken yet, is read again when the client is resumed. */
export function putBack(socket: Socket, bytes: Buffer): void {
  socket.unshift(bytes);
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
