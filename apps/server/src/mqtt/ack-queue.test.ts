import { expect, test } from "vitest";
import { createAckQueue } from "./ack-queue.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("messages are acknowledged in the order of receipt, those of one COMMIT with one write", async () => {
  const written: number[][] = [];
  const queue = createAckQueue((bytes) => {
    const ids: number[] = [];
    for (let at = 0; at < bytes.length; at += 4) {
      expect(bytes.readUInt16BE(at)).toBe(0x4002);
      ids.push(bytes.readUInt16BE(at + 2));
    }
    written.push(ids);
  });
  const [one, two, three, four] = [7, 65_535, 9, 10].map((id) => queue.add(id));
  let isEmpty = false;
  queue.whenEmpty(() => (isEmpty = true));
  two!();
  three!();
  await turn();
  expect(written).toEqual([]);
  one!();
  await turn();
  expect([written, queue.length, isEmpty]).toEqual([[[7, 65_535, 9]], 1, false]);
  four!();
  await turn();
  expect([written.at(-1), queue.length, isEmpty]).toEqual([[10], 0, true]);
});

test("a long queue keeps its order", async () => {
  const written: number[] = [];
  const queue = createAckQueue((bytes) => {
    for (let at = 0; at < bytes.length; at += 4) written.push(bytes.readUInt16BE(at + 2));
  });
  for (let part = 0; part < 5; part++) {
    const stored = Array.from({ length: 2_500 }, (_, index) => queue.add(part * 2_500 + index + 1));
    for (const store of stored.toReversed()) store();
    await turn();
  }
  expect(written).toEqual(Array.from({ length: 12_500 }, (_, index) => index + 1));
});

test("what someone else acknowledges keeps its place among the others", async () => {
  const written: (number | string)[] = [];
  const queue = createAckQueue((bytes) => {
    for (let at = 0; at < bytes.length; at += 4) written.push(bytes.readUInt16BE(at + 2));
  });
  const stored = [
    queue.add(1),
    queue.addForeign(() => written.push("theirs")),
    queue.add(2),
    queue.addForeign(() => written.push("last")),
    queue.add(3),
  ];
  stored[1]!();
  stored[2]!();
  await turn();
  expect(written).toEqual([]);
  stored[0]!();
  stored[3]!();
  await turn();
  expect([written, queue.length]).toEqual([[1, "theirs", 2, "last"], 1]);
});
