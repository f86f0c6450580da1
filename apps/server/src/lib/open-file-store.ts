import { join } from "node:path";
import { createFolderFileStore, type FileStore } from "./file-store.ts";
import { parseFilesAddress } from "./files-address.ts";
import type { S3FileStore } from "./s3-file-store.ts";

export interface FilesLocation {
  /** See `FilesAddress`; without it contents are in a folder of `dataDir`. */
  filesUrl?: string | undefined;
  dataDir: string;
}

export interface OpenFileStore {
  store: FileStore;
  /** Why files can be neither stored nor read, in a sentence; undefined while they can. */
  problem: () => Promise<string | undefined>;
}

/** The content store that FILES_URL names, or the folder. Nothing is asked of a storage, and none of its client is loaded, before it is used. */
export function openFileStore({ filesUrl, dataDir }: FilesLocation, folderOptions: { isDurable?: boolean } = {}): OpenFileStore {
  const address = filesUrl === undefined ? undefined : parseFilesAddress(filesUrl);
  if (address === undefined) {
    return { store: createFolderFileStore(join(dataDir, "files"), folderOptions), problem: () => Promise.resolve(undefined) };
  }
  let opened: Promise<S3FileStore> | undefined;
  const open = () => (opened ??= import("./s3-file-store.ts").then(({ createS3FileStore }) => createS3FileStore({ address })));
  return {
    store: {
      putAll: async (contents) => (await open()).putAll(contents),
      read: async (hash) => (await open()).read(hash),
      open: async (hash) => (await open()).open(hash),
      removeIdle: async (hash, idleBefore) => (await open()).removeIdle(hash, idleBefore),
      tidy: async (folder, idleBefore) => (await open()).tidy(folder, idleBefore),
      async *list(folder) {
        yield* (await open()).list(folder);
      },
    },
    problem: async () => (await open()).problem(),
  };
}

/** The folder whose disk fills with what nodes send; undefined where neither their files nor the database are on it. */
export function folderThatFills({
  filesUrl,
  databaseUrl,
  dataDir,
}: FilesLocation & { databaseUrl: string | undefined }): string | undefined {
  return filesUrl === undefined || databaseUrl === undefined ? dataDir : undefined;
}
