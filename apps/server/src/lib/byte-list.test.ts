import { expect, test } from "vitest";
import { createByteList } from "./byte-list.ts";

const page = 65_536;

test.each([[[]], [[1]], [[page - 1, 1]], [[page]], [[page - 1, 2]], [[3 * page + 7]], [[0, page + 1, 0, page - 1, 5]]])(
  "pieces of %j bytes come back in their order",
  (lengths: number[]) => {
    const list = createByteList();
    const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
    for (const piece of pieces) list.add(piece);
    const all = Buffer.concat(pieces);
    expect(list.length).toBe(all.length);
    expect(Buffer.concat(list.pages()).equals(all)).toBe(true);
    expect(list.pages().every(({ length }) => length <= page)).toBe(true);
  },
);
