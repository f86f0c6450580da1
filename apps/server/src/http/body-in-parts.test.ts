import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { sendInParts } from "./body-in-parts.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

test.each([0, 1, 16_384, 16_385, 100_000])("a body of %i bytes comes whole", async (length) => {
  const server = createServer((_request, response) => void sendInParts(response, bytes(length)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const [answer] = (await once(get({ port: (server.address() as AddressInfo).port, agent: false }), "response")) as [IncomingMessage];
  expect(new Uint8Array(await buffer(answer))).toEqual(bytes(length));
});

/** Counts what is sent. */
function witness(): { response: ServerResponse; calls: string[] } {
  const calls: string[] = [];
  const note = (name: string) => (part: Uint8Array) => calls.push(`${name} ${part.length}`);
  return { response: { destroyed: false, write: note("write"), end: note("end") } as unknown as ServerResponse, calls };
}

test("its beginning comes first, and who leaves then is sent no more", async () => {
  const { response, calls } = witness();
  const sent = sendInParts(response, bytes(100_000));
  Object.assign(response, { destroyed: true });
  await sent;
  expect(calls).toEqual(["write 16384"]);
});

test("who left before the beginning is sent nothing", async () => {
  const { response, calls } = witness();
  Object.assign(response, { destroyed: true });
  await sendInParts(response, bytes(100_000));
  expect(calls).toEqual([]);
});

test("of many bodies one is sent on in a turn of the loop, in their order", async () => {
  const done: number[] = [];
  const sent = [0, 1, 2, 3].map(async (index) => {
    const { response, calls } = witness();
    await sendInParts(response, bytes(20_000));
    expect(calls).toEqual(["write 16384", "end 3616"]);
    done.push(index);
  });
  const ofTurns: number[] = [];
  for (let before = 0; done.length < sent.length; before = done.length) {
    await nextTurn();
    ofTurns.push(done.length - before);
  }
  await Promise.all(sent);
  expect(ofTurns.filter((count) => count > 0)).toEqual([1, 1, 1, 1]);
  expect(done).toEqual([0, 1, 2, 3]);
});
