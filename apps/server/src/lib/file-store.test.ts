import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentHash, createFolderFileStore } from "./file-store.ts";
import type { FileStore } from "./file-store.ts";

let root: string;
let store: FileStore;
const old = new Date(Date.now() - 90 * 86_400_000);
const idleBefore = Date.now() - 86_400_000;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "busbar-store-"));
  store = createFolderFileStore(root, { isDurable: false });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const pathOf = (content: Buffer) => {
  const name = contentHash(content).toString("hex");
  return join(root, name.slice(0, 3), name);
};
const folderOf = (content: Buffer) => contentHash(content).readUInt16BE(0) >> 4;

/** Stores a content as if that had been three months ago. */
async function putLongAgo(text: string): Promise<{ content: Buffer; hash: Buffer }> {
  const content = Buffer.from(text);
  const [hash] = await store.putAll([content]);
  await utimes(pathOf(content), old, old);
  return { content, hash: hash! };
}
async function listed(folder: number, from = store): Promise<string[]> {
  const names: string[] = [];
  for await (const hash of from.list(folder)) names.push(hash.toString("hex"));
  return names;
}

describe("removing a content", () => {
  test("one that was put lately stays, and so does one that was put again; an idle one goes, and is then not there", async () => {
    const { content, hash } = await putLongAgo("once");
    const [fresh] = await store.putAll([Buffer.from("lately")]);
    expect(await store.removeIdle(fresh!, idleBefore)).toBe(false);
    await store.putAll([content]);
    expect([await store.removeIdle(hash, idleBefore), await store.read(hash)]).toEqual([false, content]);
    await utimes(pathOf(content), old, old);
    expect([await store.removeIdle(hash, idleBefore), await store.removeIdle(hash, idleBefore)]).toEqual([true, false]);
    await expect(store.read(hash)).rejects.toThrow("ENOENT");
    expect(await readdir(dirname(pathOf(content)))).toEqual([]);
  });

  test("whoever puts it at the very same time finds it stored, a thousand times", async () => {
    const outcomes = { stayed: 0, removed: 0 };
    for (let round = 0; round < 1_000; round++) {
      const { content, hash } = await putLongAgo(`race ${round % 10}`);
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn++) await Promise.resolve();
      };
      const removing = turns(round % 7).then(() => store.removeIdle(hash, idleBefore));
      const [isRemoved] = await Promise.all([removing, turns(round % 5).then(() => store.putAll([content]))]);
      outcomes[isRemoved ? "removed" : "stayed"]++;
      expect(await store.read(hash)).toEqual(content);
      expect(await listed(folderOf(content))).toContain(hash.toString("hex"));
    }
    // Both ways of ending have been seen.
    expect([outcomes.stayed > 0, outcomes.removed > 0]).toEqual([true, true]);
  });
});

describe("after a crash", () => {
  test("A-63 a content that is torn is written whole when it is put again", async () => {
    for (const torn of ["", "tor", "torn, and with bytes of something else"]) {
      const content = Buffer.from("torn content");
      const [hash] = await store.putAll([content]);
      await writeFile(pathOf(content), torn);
      await store.putAll([content]);
      expect(await store.read(hash!)).toEqual(content);
    }
  });

  test("unfinished writes go when they are old, and only they", async () => {
    const { content } = await putLongAgo("whole");
    const folder = dirname(pathOf(content));
    const names = [".0b0f7a52-old", ".0b0f7a52-new"] as const;
    for (const name of names) await writeFile(join(folder, name), "half");
    await utimes(join(folder, names[0]), old, old);
    expect(await store.tidy(folderOf(content), idleBefore)).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual([names[1], pathOf(content).slice(folder.length + 1)]);
  });

  test("a content that was half removed is read all the same, and comes back", async () => {
    for (const bringBack of [
      (hash: Buffer) => store.read(hash).then(String),
      (hash: Buffer, content: Buffer) =>
        store
          .tidy(folderOf(content), idleBefore)
          .then(() => store.read(hash))
          .then(String),
    ]) {
      const { content, hash } = await putLongAgo("half removed");
      await rename(pathOf(content), `${pathOf(content)}.0b0f7a52.aside`);
      expect(await listed(folderOf(content))).toEqual([]);
      expect(await bringBack(hash, content)).toBe("half removed");
      expect(await readdir(dirname(pathOf(content)))).toEqual([hash.toString("hex")]);
    }
  });

  test("folders that were never made are empty", async () => {
    const empty = createFolderFileStore(join(root, "nowhere"));
    await mkdir(join(root, "nowhere"));
    expect([await listed(5, empty), await empty.tidy(5, idleBefore)]).toEqual([[], 0]);
  });
});
