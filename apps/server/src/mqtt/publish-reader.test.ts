import type { Client } from "aedes";
import * as fc from "fast-check";
import mqttPacket, { type Packet } from "mqtt-packet";
import { expect, test } from "vitest";
import { readBefore, readByLibrary } from "./aedes-internals.ts";
import { PublishReader, type ReadPublish } from "./publish-reader.ts";

/** What is read of the chunks, all in the order in which it came. What is put back comes first in the next chunk. */
function readAll(
  chunks: readonly Buffer[],
  { isOpen = () => true, mayRead = () => true }: { isOpen?: () => boolean; mayRead?: () => boolean } = {},
): Packet[] {
  const packets: Packet[] = [];
  const library = mqttPacket.parser({ protocolVersion: 4 });
  library.on("packet", (packet) => packets.push(packet));
  const client = { connected: true, _parser: library } as unknown as Client;
  Object.assign(library, { client });
  const take = ({ topic, qos, retain, messageId, payload }: ReadPublish) =>
    packets.push({ cmd: "publish", topic, qos, retain, payload, dup: false, ...(qos === 1 ? { messageId } : {}) });
  const back: Buffer[] = [];
  const putBack = (bytes: Buffer) => void back.push(bytes);
  const reader = new PublishReader({ take, pass: (bytes) => readByLibrary(client, bytes), isOpen, mayRead, putBack });
  readBefore(client, { maxPacketBytes: 100_000, read: (bytes) => reader.read(bytes) });
  for (const chunk of chunks) library.parse(Buffer.concat([...back.splice(0), chunk]));
  while (back.length > 0) library.parse(back.pop()!);
  return packets;
}

const publish = fc.record({
  cmd: fc.constant("publish" as const),
  topic: fc.constantFrom("spBv1.0/n01/NDATA/1", "spBv1.0/n01/DDATA/1/ö", "x"),
  // The longest are for the library.
  payload: fc
    .tuple(fc.constantFrom(0, 1, 130, 300, 16_300, 16_400, 20_000), fc.nat(255))
    .map(([length, byte]) => Buffer.alloc(length, byte)),
  qos: fc.constantFrom(0 as const, 1 as const, 2 as const),
  messageId: fc.integer({ min: 1, max: 65_535 }),
  retain: fc.boolean(),
  dup: fc.constant(false),
});
const other = fc.constantFrom<Packet>(
  { cmd: "pingreq" },
  { cmd: "puback", messageId: 7 },
  { cmd: "subscribe", messageId: 8, subscriptions: [{ topic: "spBv1.0/STATE/#", qos: 1 }] },
);
const packetOf = ({ cmd, ...rest }: Packet) => {
  const { topic, payload, qos, messageId } = rest as { topic?: string; payload?: Buffer; qos?: number; messageId?: number };
  return cmd === "publish"
    ? { cmd, topic, qos, payload: `${payload?.length} of ${payload?.[0]}`, id: qos === 0 ? undefined : messageId }
    : { cmd };
};

test("whatever packets come in whatever pieces and have to wait, all are read in their order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(publish, publish, other), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.infiniteStream(fc.boolean()),
      (packets, cuts, mayReads) => {
        const bytes = Buffer.concat(packets.map((packet) => mqttPacket.generate(packet)));
        const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const mayRead = () => mayReads.next().value;
        expect(
          readAll(
            chunks.filter(({ length }) => length > 0),
            { mayRead },
          ).map(packetOf),
        ).toEqual(packets.map(packetOf));
      },
    ),
  );
});

test("what only the library can judge goes to it as it is", () => {
  const passed = (bytes: number[]) => {
    const parts: number[][] = [];
    const take = () => parts.push([]);
    const isTrue = () => true;
    const pass = (part: Buffer) => parts.push([...part]);
    new PublishReader({ take, pass, isOpen: isTrue, mayRead: isTrue, putBack: () => undefined }).read(Buffer.from(bytes));
    return parts;
  };
  // A length of five bytes, a PUBLISH without room for its topic or its id, both QoS bits.
  for (const bytes of [
    [0x30, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x30, 1, 0],
    [0x30, 3, 0, 2, 97],
    [0x32, 4, 0, 1, 97, 0],
    [0x36, 5, 0, 1, 97, 0, 1],
  ])
    expect(passed(bytes)).toEqual([bytes]);
});

test("nothing is read behind a packet that ended the connection", () => {
  const bytes = Buffer.concat(
    [1, 2, 3].map((messageId) =>
      mqttPacket.generate({ cmd: "publish", topic: "x", payload: "", qos: 1, messageId, retain: false, dup: false }),
    ),
  );
  let reads = 0;
  expect(readAll([bytes], { isOpen: () => ++reads <= 2 })).toHaveLength(2);
});
