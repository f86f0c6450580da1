import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentHash, createFolderFileStore, inLanes, type FileStore } from "./file-store.ts";
import { folderOf, idleBefore, listed, longAgoMs, testFileStore } from "#testing/file-store-conformance.ts";

let root: string;
let store: FileStore;
const old = new Date(Date.now() - longAgoMs);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "busbar-store-"));
  store = createFolderFileStore(root, { isDurable: false });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const pathOf = (content: Buffer) => {
  const name = contentHash(content).toString("hex");
  return join(root, name.slice(0, 3), name);
};

/** Stores a content as if that had been three months ago. */
async function putLongAgo(text: string): Promise<{ content: Buffer; hash: Buffer }> {
  const content = Buffer.from(text);
  const [hash] = await store.putAll([content]);
  await utimes(pathOf(content), old, old);
  return { content, hash: hash! };
}
describe("in a folder", () => {
  testFileStore(() => ({ store, putLongAgo: async (content) => (await putLongAgo(content.toString())).hash }), { races: 1_000 });
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
    expect(await store.tidy(folderOf(contentHash(content)), idleBefore)).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual([names[1], pathOf(content).slice(folder.length + 1)]);
  });

  test("a content that was half removed is read all the same, and comes back", async () => {
    for (const bringBack of [
      (hash: Buffer) => store.read(hash).then(String),
      (hash: Buffer, content: Buffer) =>
        store
          .tidy(folderOf(contentHash(content)), idleBefore)
          .then(() => store.read(hash))
          .then(String),
    ]) {
      const { content, hash } = await putLongAgo("half removed");
      await rename(pathOf(content), `${pathOf(content)}.0b0f7a52.aside`);
      expect(await listed(store, folderOf(contentHash(content)))).toEqual([]);
      expect(await bringBack(hash, content)).toBe("half removed");
      expect(await readdir(dirname(pathOf(content)))).toEqual([hash.toString("hex")]);
    }
  });

  test("folders that were never made are empty", async () => {
    const empty = createFolderFileStore(join(root, "nowhere"));
    await mkdir(join(root, "nowhere"));
    expect([await listed(empty, 5), await empty.tidy(5, idleBefore)]).toEqual([[], 0]);
  });
});

test("A-63 so many lanes are at work at a time, each item is done once, and a failure waits for what is under way", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const work = async (item: number) => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
    if (item === 3) throw new Error("third");
    done.push(item);
  };
  await inLanes(2, [1, 2, 4, 5, 6], work);
  expect([most, done]).toEqual([2, [1, 2, 4, 5, 6]]);
  await inLanes(8, [], work);
  done.length = 0;
  await expect(inLanes(3, [3, 7, 8], work)).rejects.toThrow("third");
  expect([running, done]).toEqual([0, [7, 8]]);
});
