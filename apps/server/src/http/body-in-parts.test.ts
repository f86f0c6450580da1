import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendInParts } from "./body-in-parts.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

async function listen(answer: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([0, 1, 16_384, 16_385, 100_000, 3_000_000])("a body of %i bytes comes whole", async (length) => {
  const port = await listen((_request, response) => void sendInParts(response, bytes(length)));
  const [answer] = (await once(get({ port, agent: false }), "response")) as [IncomingMessage];
  expect(Buffer.compare(await buffer(answer), bytes(length))).toBe(0);
});

/** Notes how much it is sent at once, and when it has taken all. */
function witness(manner: "reads" | "never reads" | "leaves" = "reads"): { response: Writable; parts: number[]; taken: () => boolean } {
  const parts: number[] = [];
  let hasAll = false;
  const response = new Writable({
    write(part: Uint8Array, _encoding, done) {
      parts.push(part.length);
      if (manner === "leaves") response.destroy();
      if (manner !== "never reads") done();
    },
    final(done) {
      hasAll = true;
      done();
    },
  });
  return { response, parts, taken: () => hasAll };
}

test("its beginning comes first, and who leaves then is sent no more", async () => {
  const { response, parts } = witness("leaves");
  const write = vi.spyOn(response, "write");
  await sendInParts(response, bytes(1_000_000));
  expect(parts).toEqual([16_384]);
  expect(write).toHaveBeenCalledTimes(1);
});

test("who left before the beginning is sent nothing", async () => {
  const { response, parts } = witness();
  response.destroy();
  await sendInParts(response, bytes(100_000));
  expect(parts).toEqual([]);
});

test("who does not read is sent no more until they leave", async () => {
  const { response, parts } = witness("never reads");
  const sent = sendInParts(response, bytes(1_000_000));
  await vi.waitUntil(() => parts.length > 0);
  // Others are sent all of theirs meanwhile.
  const other = witness();
  await sendInParts(other.response, bytes(1_000_000));
  expect(other.taken()).toBe(true);
  expect(parts).toEqual([16_384]);
  // No more than one part waits for room.
  expect(response.writableLength).toBe(16_384 + 262_144);
  response.destroy();
  await sent;
});

test("of many bodies one part of one is sent in a turn of the loop", async () => {
  const all = [0, 1, 2, 3].map(() => witness());
  const sent = Promise.all(all.map(({ response }) => sendInParts(response, bytes(16_384 + 3 * 262_144))));
  const countOf = () => all.reduce((count, { parts }) => count + parts.length, 0);
  const ofTurns: number[] = [];
  // After the beginnings.
  for (let before = 4; !all.every(({ taken }) => taken()); before = Math.max(4, countOf())) {
    await nextTurn();
    ofTurns.push(Math.max(4, countOf()) - before);
  }
  await sent;
  expect(Math.max(...ofTurns)).toBe(1);
  expect(all.map(({ parts }) => parts)).toEqual(all.map(() => [16_384, 262_144, 262_144, 262_144]));
});
