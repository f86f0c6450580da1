import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { contentHash, folderName, inLanes, type FileStore } from "./file-store.ts";
import type { FilesAddress } from "./files-address.ts";
import { storageFailure, type S3Right } from "./s3-problem.ts";

export interface S3FileStoreOptions {
  address: FilesAddress;
  now?: () => number;
}

export interface S3FileStore extends FileStore {
  /** Why contents can be neither stored nor read, in a sentence, as of a moment ago. */
  problem(): Promise<string | undefined>;
}

const dayMs = 86_400_000;
const parallelRequests = 8;
const partBytes = 8 * 1024 * 1024;
const keyName = /^([0-9a-f]{64})\.(\d{5,6})$/;
const probeFreshMs = 10_000;
const probePatienceMs = 5_000;

interface Copy {
  key: string;
  hash: string;
  day: number;
}

/**
 * A file store on S3: `prefix/abc/abcdef….20463`, the hash and the day (since 1970, UTC) on which it was put. A content is put again under the
 * key of its day, and only keys of days that are over for good are deleted: what is deleted can never be what someone puts at that moment, in
 * whatever order and however late the two arrive (decision 0034).
 */
export function createS3FileStore({ address, now = Date.now }: S3FileStoreOptions): S3FileStore {
  const client = createClient(address);
  const Bucket = address.bucket;
  const root = address.prefix === "" ? "" : `${address.prefix}/`;
  const prefixOf = (hash: Buffer) => `${root}${hash.toString("hex").slice(0, 3)}/${hash.toString("hex")}.`;
  const today = () => Math.floor(now() / dayMs);

  /** The answer of the storage. @throws StorageFailure that says in a sentence what is wrong with it */
  const asked = async <Answer>(right: S3Right, answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      throw storageFailure(error, right, address);
    }
  };

  const put = async (hash: Buffer, content: Uint8Array): Promise<void> => {
    const Key = `${prefixOf(hash)}${today()}`;
    if (content.length > partBytes) return await putInParts(Key, content);
    // The storage refuses bytes that are not of these digests, those of them that it knows.
    const digests = { ContentMD5: md5(content), ChecksumSHA256: hash.toString("base64") };
    await asked("put", client.send(new PutObjectCommand({ Bucket, Key, Body: content, ...digests })));
  };

  const putInParts = async (Key: string, content: Uint8Array): Promise<void> => {
    const { UploadId } = await asked("put", client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (let start = 0; start < content.length; start += partBytes) {
        const Body = content.subarray(start, start + partBytes);
        const part = { Bucket, Key, UploadId, PartNumber: Parts.length + 1, Body, ContentMD5: md5(Body) };
        const { ETag } = await asked("put", client.send(new UploadPartCommand(part)));
        Parts.push({ PartNumber: part.PartNumber, ETag });
      }
      await asked("put", client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })));
    } catch (error) {
      // What is left of it goes with `tidy`.
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
      throw error;
    }
  };

  async function* copiesUnder(Prefix: string): AsyncGenerator<Copy> {
    for (let next: string | undefined; ;) {
      const from = next === undefined ? {} : { ContinuationToken: next };
      const page = await asked("list", client.send(new ListObjectsV2Command({ Bucket, Prefix, ...from })));
      for (const { Key: key = "" } of page.Contents ?? []) {
        const [, hash = "", day] = keyName.exec(key.slice(key.lastIndexOf("/") + 1)) ?? [];
        if (day !== undefined) yield { key, hash, day: Number(day) };
      }
      if (!page.IsTruncated || page.NextContinuationToken === undefined) return;
      next = page.NextContinuationToken;
    }
  }
  const copiesOf = (hash: Buffer) => gather(copiesUnder(prefixOf(hash)));
  const remove = (copies: readonly Copy[]) =>
    inLanes(parallelRequests, copies, async ({ key }) => {
      await asked("delete", client.send(new DeleteObjectCommand({ Bucket, Key: key })));
    });
  /** Of the end of the key's day, so that whoever put it then has long committed its row. */
  const isIdle = ({ day }: Copy, idleBefore: number) => (day + 1) * dayMs <= idleBefore;

  const get = async (Key: string): Promise<AsyncIterable<Buffer> | undefined> => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body as Readable;
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return undefined;
      throw storageFailure(error, "get", address);
    }
  };

  const open = async (hash: Buffer): Promise<AsyncIterable<Buffer>> => {
    const prefix = prefixOf(hash);
    // Most contents are read once, soon after they came.
    const fresh = await get(`${prefix}${today()}`);
    if (fresh) return fresh;
    // An older copy goes once there is a newer one: between the list and the get.
    for (let attempt = 0; attempt < 2; attempt++) {
      const newest = newestFirst(await copiesOf(hash))[0];
      // Some storages list an object only some time after it was put.
      const body = await get(newest?.key ?? `${prefix}${today() - 1}`);
      if (body) return body;
    }
    throw Object.assign(new Error(`ENOENT: no content ${hash.toString("hex")}`), { code: "ENOENT" });
  };

  /** The bytes of a content, and no others. */
  async function* verified(hash: Buffer, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const seen = createHash("sha256");
    try {
      for await (const piece of body) {
        seen.update(piece);
        yield piece;
      }
    } catch (error) {
      throw storageFailure(error, "get", address);
    }
    if (!seen.digest().equals(hash))
      throw new Error(`The storage of files gave other bytes than were put: content ${hash.toString("hex")}`);
  }

  /** Does once all that the keys must have rights for. */
  const probe = async (): Promise<string | undefined> => {
    const patience = { abortSignal: AbortSignal.timeout(probePatienceMs) };
    const object = { Bucket, Key: `${root}probe` };
    try {
      await asked("list", client.send(new ListObjectsV2Command({ Bucket, Prefix: root, MaxKeys: 1 }), patience));
      await asked("put", client.send(new PutObjectCommand({ ...object, Body: Buffer.from("probe") }), patience));
      // Another process may have deleted it just now.
      await client.send(new GetObjectCommand(object), patience).catch((error: Error) => {
        if (error.name !== "NoSuchKey") throw storageFailure(error, "get", address);
      });
      await asked("delete", client.send(new DeleteObjectCommand(object), patience));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  let probed: { at: number; problem: Promise<string | undefined> } | undefined;

  return {
    async putAll(contents) {
      const hashes = contents.map(contentHash);
      await inLanes(parallelRequests, [...contents.entries()], ([index, content]) => put(hashes[index]!, content));
      return hashes;
    },
    read: async (hash) => Buffer.concat(await gather(verified(hash, await open(hash)))),
    open: async (hash) => Readable.from(verified(hash, await open(hash)), { objectMode: false }),
    async removeIdle(hash, idleBefore) {
      const copies = await copiesOf(hash);
      if (copies.length === 0 || copies.some((copy) => !isIdle(copy, idleBefore))) return false;
      await remove(copies);
      return true;
    },
    async tidy(folder, idleBefore) {
      const Prefix = `${root}${folderName(folder)}/`;
      const byHash = Map.groupBy(await gather(copiesUnder(Prefix)), ({ hash }) => hash);
      const outdated = [...byHash.values()].flatMap((copies) => newestFirst(copies).slice(1)).filter((copy) => isIdle(copy, idleBefore));
      await remove(outdated);
      const { Uploads = [] } = await asked("list", client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })));
      const unfinished = Uploads.filter(({ Initiated }) => (Initiated?.getTime() ?? Infinity) < idleBefore);
      for (const { Key, UploadId } of unfinished)
        await asked("delete", client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
      return outdated.length + unfinished.length;
    },
    async *list(folder) {
      let last = "";
      for await (const { hash } of copiesUnder(`${root}${folderName(folder)}/`)) {
        // Keys come in their order: copies of one content follow each other.
        if (hash !== last) yield Buffer.from(hash, "hex");
        last = hash;
      }
    },
    problem() {
      if (probed === undefined || performance.now() - probed.at >= probeFreshMs) probed = { at: performance.now(), problem: probe() };
      return probed.problem;
    },
  };
}

function createClient({ endpoint, region }: FilesAddress): S3Client {
  return new S3Client({
    region: region ?? process.env["AWS_REGION"] ?? "us-east-1",
    // Storage of one's own has seldom a name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Ours are sent with each put, in the head: not all storages know those of the client's own.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 20_000, socketTimeout: 20_000, throwOnRequestTimeout: true },
  });
}

const newestFirst = (copies: readonly Copy[]): Copy[] => copies.toSorted((a, b) => b.day - a.day);

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64");
