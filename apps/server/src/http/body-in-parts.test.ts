import { setImmediate as nextTurn } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { inParts } from "./body-in-parts.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

test.each([0, 1, 16_384, 16_385, 100_000])("a body of %i bytes comes whole", async (length) => {
  expect(new Uint8Array(await buffer(inParts(bytes(length))))).toEqual(bytes(length));
});

test("its beginning comes first, and who leaves then is sent no more", async () => {
  const body = inParts(bytes(100_000));
  const lengths: number[] = [];
  for await (const part of body) {
    lengths.push((part as Uint8Array).length);
    break;
  }
  expect(lengths).toEqual([16_384]);
  expect([body.destroyed, body.readableLength]).toEqual([true, 0]);
});

test("of many bodies one is sent on in a turn of the loop, in their order", async () => {
  const done: number[] = [];
  const sent = [0, 1, 2, 3].map(async (index) => {
    await buffer(inParts(bytes(20_000)));
    done.push(index);
  });
  const ofTurns: number[] = [];
  for (let before = 0; done.length < sent.length; before = done.length) {
    await nextTurn();
    ofTurns.push(done.length - before);
  }
  expect(ofTurns.filter((count) => count > 0)).toEqual([1, 1, 1, 1]);
  expect(done).toEqual([0, 1, 2, 3]);
});
