import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { contentHash, type FileStore } from "#lib/file-store.ts";

export interface StoreUnderTest {
  store: FileStore;
  /** Stores a content as if that had been three months ago. */
  putLongAgo: (content: Buffer) => Promise<Buffer>;
}

const dayMs = 86_400_000;
export const longAgoMs = 90 * dayMs;
export const idleBefore = Date.now() - 2 * dayMs;
export const folderOf = (hash: Buffer) => hash.readUInt16BE(0) >> 4;

export async function listed(store: FileStore, folder: number): Promise<string[]> {
  const names: string[] = [];
  for await (const hash of store.list(folder)) names.push(hash.toString("hex"));
  return names;
}

/** What every file store does, whatever it is on. */
export function testFileStore(under: () => StoreUnderTest, { races }: { races: number }): void {
  test("contents come back whole by their hash, none, small and large, and are listed once each", async () => {
    const { store, putLongAgo } = under();
    const contents = [Buffer.alloc(0), Buffer.from("small"), Buffer.alloc(20 * 1024 * 1024, "large")];
    await putLongAgo(contents[1]!);
    const hashes = await store.putAll(contents);
    expect(await store.putAll(contents)).toEqual(hashes);
    expect(hashes).toEqual(contents.map(contentHash));
    for (const [index, hash] of hashes.entries()) {
      expect((await store.read(hash)).equals(contents[index]!)).toBe(true);
      expect((await buffer(await store.open(hash))).equals(contents[index]!)).toBe(true);
      expect(await listed(store, folderOf(hash))).toEqual([hash.toString("hex")]);
    }
  });

  test("what was never put is not there", async () => {
    const { store } = under();
    const hash = contentHash(Buffer.from("never put"));
    await expect(store.read(hash)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(store.open(hash)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await store.removeIdle(hash, idleBefore)).toBe(false);
    expect([await listed(store, folderOf(hash)), await store.tidy(folderOf(hash), idleBefore)]).toEqual([[], 0]);
  });

  test("one that was put lately stays, and so does one that was put again; an idle one is found, goes, and is then not there", async () => {
    const { store, putLongAgo } = under();
    const content = Buffer.from("once");
    const [fresh] = await store.putAll([Buffer.from("lately")]);
    expect(await store.removeIdle(fresh!, idleBefore)).toBe(false);
    const hash = await putLongAgo(content);
    await store.putAll([content]);
    expect([await store.removeIdle(hash, idleBefore), await store.read(hash)]).toEqual([false, content]);
    const other = await putLongAgo(Buffer.from("idle"));
    expect([String(await store.read(other)), String(await buffer(await store.open(other)))]).toEqual(["idle", "idle"]);
    expect([await store.removeIdle(other, idleBefore), await store.removeIdle(other, idleBefore)]).toEqual([true, false]);
    await expect(store.read(other)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await listed(store, folderOf(other))).toEqual([]);
  });

  test("who reads a stream to its middle may leave it there", async () => {
    const { store } = under();
    const content = Buffer.alloc(9 * 1024 * 1024, "long");
    const [hash] = await store.putAll([content]);
    for await (const piece of await store.open(hash!)) {
      expect((piece as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect((await store.read(hash!)).equals(content)).toBe(true);
  });

  test(`whoever puts it at the very same time finds it stored, ${races} times`, async () => {
    const { store, putLongAgo } = under();
    const outcomes = { stayed: 0, removed: 0 };
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await Promise.resolve();
    };
    for (let round = 0; round < races; round++) {
      const content = Buffer.from(`race ${round}`);
      const hash = await putLongAgo(content);
      const removing = turns(round % 7).then(() => store.removeIdle(hash, idleBefore));
      const putting = turns(round % 5).then(() => store.putAll([content]));
      // Each comes first in half of the rounds.
      const [first, second] = round % 2 === 0 ? [putting, removing] : [removing, putting];
      await first;
      await second;
      outcomes[(await removing) ? "removed" : "stayed"]++;
      expect(await store.read(hash)).toEqual(content);
      expect(await listed(store, folderOf(hash))).toContain(hash.toString("hex"));
    }
    // Both ways of ending have been seen.
    expect([outcomes.stayed > 0, outcomes.removed > 0]).toEqual([true, true]);
  });
}
