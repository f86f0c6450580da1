import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { inSlices } from "./sliced-body.ts";

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

test("a small body is sent at once, a large one whole in slices", async () => {
  const small = bytesOf(256 * 1024);
  expect(inSlices(small)).toBe(small);
  const large = bytesOf(1_000_001);
  expect((await buffer(inSlices(large) as Readable)).equals(large)).toBe(true);
});

test("bodies of several go out by turns, and one that no one reads any more keeps none waiting", async () => {
  const order: string[] = [];
  const bodies = ["a", "b", "c"].map((name) => {
    const body = inSlices(bytesOf(512 * 1024)) as Readable;
    body.on("data", () => order.push(name));
    return body;
  });
  bodies[1]!.destroy();
  await Promise.all([bodies[0]!, bodies[2]!].map((body) => new Promise((resolve) => body.once("end", resolve))));
  expect(order.join("")).toBe("acacacac");
});
