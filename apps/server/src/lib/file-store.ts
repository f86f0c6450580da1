import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, type Stats } from "node:fs";
import { chmod, link, mkdir, open, opendir, readFile, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";

/** Bytes under the hash of what they are: equal contents are kept once, and nothing that is stored ever changes. */
export interface FileStore {
  /** Durable when it resolves; the hashes in the order of the contents. */
  putAll(contents: readonly Uint8Array[]): Promise<Buffer[]>;
  read(hash: Buffer): Promise<Buffer>;
  /** @throws ENOENT when it is not there */
  open(hash: Buffer): Promise<Readable>;
  /**
   * Removes a content that no one has put since `idleBefore` (epoch milliseconds); false when it is not there, or was put since. Who puts
   * a content that is stored already is noticed at every point of the removal: either the bytes stay, or they are written again.
   */
  removeIdle(hash: Buffer, idleBefore: number): Promise<boolean>;
  /** Removes what a crash left of unfinished writes in one of the `fileStoreFolders`, and brings back what it left half removed. */
  tidy(folder: number, idleBefore: number): Promise<number>;
  /** The contents of one of the `fileStoreFolders`. */
  list(folder: number): AsyncIterable<Buffer>;
}

/** Contents are spread evenly over so many folders. */
export const fileStoreFolders = 4_096;

const parallelWrites = 8;

export function contentHash(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

/** A file store in a folder: `abc/abcdef…`, 4,096 folders. */
export function createFolderFileStore(root: string, { isDurable = true }: { isDurable?: boolean } = {}): FileStore {
  const pathOf = (hash: Buffer) => {
    const name = hash.toString("hex");
    return join(root, name.slice(0, 3), name);
  };
  const folders = new Map<string, Promise<unknown>>();
  const makeFolder = async (folder: string): Promise<void> => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    // One that an earlier version made was open to all; where it is someone else's, that is theirs to say.
    if (folders.size === 1) await chmod(root, 0o700).catch(() => undefined);
    if (first !== undefined && isDurable) await syncFolder(root);
  };
  const ensureFolder = (folder: string): Promise<unknown> => {
    let made = folders.get(folder);
    if (!made) {
      made = makeFolder(folder);
      folders.set(folder, made);
      made.catch(() => folders.delete(folder));
    }
    return made;
  };

  const put = async (hash: Buffer, content: Uint8Array): Promise<string> => {
    const path = pathOf(hash);
    const folder = dirname(path);
    await ensureFolder(folder);
    if ((await sizeOf(path)) === content.length && (await touch(path))) return folder;
    const next = join(folder, `.${randomUUID()}`);
    try {
      await writeWhole(next, content, isDurable);
      await rename(next, path);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
    return folder;
  };

  return {
    async putAll(contents) {
      const hashes = contents.map(contentHash);
      const touched = new Set<string>();
      await inLanes(parallelWrites, [...contents.entries()], async ([index, content]) => {
        touched.add(await put(hashes[index]!, content));
      });
      // A name is durable once its folder is; also a name that an earlier, interrupted batch left behind.
      if (isDurable) await settleAll([...touched].map(syncFolder));
      return hashes;
    },
    async read(hash) {
      try {
        return await readFile(pathOf(hash));
      } catch (error) {
        // It may be half removed: by someone who will notice that it is needed, or by one who is no more.
        if (!isMissing(error) || !(await bringBack(pathOf(hash)))) throw error;
        return readFile(pathOf(hash));
      }
    },
    async open(hash) {
      const stream = createReadStream(pathOf(hash));
      await once(stream, "open");
      return stream;
    },

    async removeIdle(hash, idleBefore) {
      const path = pathOf(hash);
      if (((await modifiedAt(path)) ?? Infinity) >= idleBefore) return false;
      // From here on no one finds it under its name: whoever puts it writes it again. Who touched it before has left a new time.
      const aside = `${path}.${randomUUID()}${asideSuffix}`;
      if (!(await moveAway(path, aside))) return false;
      if (((await modifiedAt(aside)) ?? Infinity) >= idleBefore) {
        await restore(aside, path);
        return false;
      }
      await rm(aside, { force: true });
      return true;
    },

    async tidy(folder, idleBefore) {
      const path = join(root, folderName(folder));
      let cleared = 0;
      for (const name of await namesIn(path)) {
        if (/^[0-9a-f]{64}$/.test(name) || ((await modifiedAt(join(path, name))) ?? Infinity) >= idleBefore) continue;
        if (name.endsWith(asideSuffix)) await restore(join(path, name), join(path, name.slice(0, 64)));
        else await rm(join(path, name), { force: true });
        cleared++;
      }
      return cleared;
    },

    async *list(folder) {
      const opened = await opendir(join(root, folderName(folder))).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (!opened) return;
      for await (const { name } of opened) if (/^[0-9a-f]{64}$/.test(name)) yield Buffer.from(name, "hex");
    },
  };
}

/** Of a content that is being removed. */
const asideSuffix = ".aside";

export const folderName = (folder: number): string => folder.toString(16).padStart(3, "0");
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** Puts a content back under its name, unless it was written again meanwhile. */
async function restore(aside: string, path: string): Promise<void> {
  await link(aside, path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" && !isMissing(error)) throw error;
  });
  await rm(aside, { force: true });
}

async function moveAway(path: string, aside: string): Promise<boolean> {
  try {
    await rename(path, aside);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function bringBack(path: string): Promise<boolean> {
  const aside = (await namesIn(dirname(path))).find((name) => name.startsWith(basename(path)) && name.endsWith(asideSuffix));
  if (aside !== undefined) await restore(join(dirname(path), aside), path);
  return aside !== undefined;
}

/** Says that a content is needed now; false when it is not there any more. */
async function touch(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** So many at a time. */
export function inLanes<Item>(lanes: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  return settleAll(Array.from({ length: Math.min(lanes, items.length) }, lane));
}

/** Waits for all, also after a failure: nothing goes on behind the caller's back. */
async function settleAll(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

async function writeWhole(path: string, content: Uint8Array, isDurable: boolean): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    if (isDurable) await file.datasync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size;
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await statOf(path))?.mtimeMs;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
