import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

/** Bytes under the hash of what they are: equal contents are kept once, and nothing that is stored ever changes. */
export interface FileStore {
  /** Durable when it resolves; the hashes in the order of the contents. */
  putAll(contents: readonly Uint8Array[]): Promise<Buffer[]>;
  read(hash: Buffer): Promise<Buffer>;
  stream(hash: Buffer): Readable;
  remove(hash: Buffer): Promise<void>;
}

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
  const ensureFolder = (folder: string): Promise<unknown> => {
    let made = folders.get(folder);
    if (!made) {
      made = mkdir(folder, { recursive: true }).then((first) => (first && isDurable ? syncFolder(root) : undefined));
      folders.set(folder, made);
      made.catch(() => folders.delete(folder));
    }
    return made;
  };

  const put = async (hash: Buffer, content: Uint8Array): Promise<string> => {
    const path = pathOf(hash);
    const folder = dirname(path);
    await ensureFolder(folder);
    if ((await sizeOf(path)) === content.length) return folder;
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
      const queue = contents.entries();
      const work = async () => {
        for (const [index, content] of queue) touched.add(await put(hashes[index]!, content));
      };
      await settleAll(Array.from({ length: Math.min(parallelWrites, contents.length) }, work));
      // A name is durable once its folder is; also a name that an earlier, interrupted batch left behind.
      if (isDurable) await settleAll([...touched].map(syncFolder));
      return hashes;
    },
    read: (hash) => readFile(pathOf(hash)),
    stream: (hash) => createReadStream(pathOf(hash)),
    remove: (hash) => rm(pathOf(hash), { force: true }),
  };
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
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
