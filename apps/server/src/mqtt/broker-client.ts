import type { Socket } from "node:net";
import type { Client, ConnectPacket } from "aedes";
import { createAckQueue, type AckQueue } from "./ack-queue.ts";
import { putBack, readByLibrary, writeBeside, type ClientReader } from "./aedes-internals.ts";
import type { ClientFlow, FlowControl } from "./flow-control.ts";
import { PublishReader, type PublishTarget, type ReadPublish } from "./publish-reader.ts";
import { createPublishCheck, type Publication } from "./topic-acl.ts";

/** What all clients of a broker share. */
export interface BrokerClientParts {
  flows: FlowControl;
  limits: { packetBytes: number; firstPacketBytes: number };
  take: (link: BrokerClient, node: ConnectedNode, publish: ReadPublish) => void;
}

/** What the broker keeps of an authenticated node's connection. */
export interface ConnectedNode {
  readonly serial: string;
  readonly secretHash: string;
  readonly flow: ClientFlow;
  readonly refusePublish: (publication: Publication) => string | undefined;
  readonly acks: AckQueue;
}

/** A client of the broker, and what reads its bytes before the MQTT library. A class: there are thousands. */
export class BrokerClient implements ClientReader, PublishTarget {
  readonly client: Client;
  readonly address: string;
  /** Until it has been answered. */
  connect: ConnectPacket | undefined = undefined;
  node: ConnectedNode | undefined = undefined;
  private readonly parts: BrokerClientParts;
  private readonly reader: PublishReader;

  constructor(client: Client, address: string, parts: BrokerClientParts) {
    this.client = client;
    this.address = address;
    this.parts = parts;
    this.reader = new PublishReader(this);
  }

  /** It has shown who it is. */
  enter(secretHash: string): ConnectedNode {
    const { client } = this;
    return (this.node = {
      serial: client.id,
      secretHash,
      flow: this.parts.flows.open(client),
      refusePublish: createPublishCheck(client.id),
      acks: createAckQueue((bytes) => writeBeside(client, bytes)),
    });
  }

  readonly fail = (error: Error): void => void this.client.emit("error", error);

  get maxPacketBytes(): number {
    const { packetBytes, firstPacketBytes } = this.parts.limits;
    return this.node === undefined ? firstPacketBytes : packetBytes;
  }

  read(bytes: Buffer): void {
    this.reader.read(bytes);
  }

  take(publish: ReadPublish): void {
    this.parts.take(this, this.node!, publish);
  }

  pass(bytes: Buffer): void {
    readByLibrary(this.client, bytes);
  }

  isOpen(): boolean {
    return !this.client.closed;
  }

  mayRead(): boolean {
    return this.parts.flows.mayRead(this.node!.flow);
  }

  putBack(bytes: Buffer): void {
    putBack(this.client.conn as Socket, bytes);
  }
}
