import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Right } from "#lib/s3-problem.ts";
import { signatureProblem, type S3Keys } from "./s3-signature.ts";

export interface TestS3Server {
  /** As FILES_URL has it, of the one bucket. */
  filesUrl: string;
  endpoint: string;
  objects: Map<string, Buffer>;
  /** Parts of contents that were not completed, by their upload. */
  uploads: Map<string, Upload>;
  /** Comes before every answer: a status and a code of S3's, or nothing. */
  fault: ((right: S3Right, key: string) => { status: number; code: string; isCut?: boolean } | undefined) | undefined;
  /** Objects are not in lists yet. */
  isListingLate: boolean;
  stop(): Promise<void>;
}

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
  startedAt: Date;
}

interface Answer {
  status: number;
  body?: string | Buffer;
  etag?: string;
  isCut?: boolean;
}

const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
/** So few keys a page that what comes after the first is asked for too. */
const keysPerPage = 2;

/** As much of S3 as the content store uses, in memory, with signatures and digests checked as S3 does. */
export async function createTestS3Server(keys: S3Keys): Promise<TestS3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();

  const handle = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://host");
    const body = await buffer(request);
    const [, bucket = "", ...rest] = decodeURIComponent(pathname).split("/");
    const key = rest.join("/");
    const right = rightOf(request.method, key);
    const fault = server.fault?.(right, key);
    if (fault) return { ...refusal(fault.status, fault.code), ...(fault.isCut ? { body: objects.get(key)!, isCut: true } : {}) };
    const problem = signatureProblem(request, body, keys);
    if (problem !== undefined) return refusal(403, problem);
    if (bucket !== "files") return refusal(404, "NoSuchBucket");
    const md5 = createHash("md5").update(body);
    const digests = [
      [request.headers["content-md5"], md5.copy().digest("base64")],
      [request.headers["x-amz-checksum-sha256"], createHash("sha256").update(body).digest("base64")],
    ];
    if (digests.some(([given, actual]) => given !== undefined && given !== actual)) return refusal(400, "BadDigest");
    const etag = `"${md5.digest("hex")}"`;
    const upload = uploads.get(searchParams.get("uploadId") ?? "");
    if (request.method === "POST" && searchParams.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), startedAt: new Date() });
      return { status: 200, body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>` };
    }
    if (searchParams.has("uploadId")) {
      if (upload?.key !== key) return refusal(404, "NoSuchUpload");
      if (request.method === "PUT") upload.parts.set(Number(searchParams.get("partNumber")), body);
      else uploads.delete(searchParams.get("uploadId")!);
      if (request.method === "DELETE") return { status: 204 };
      if (request.method === "POST")
        objects.set(key, Buffer.concat([...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)));
      return { status: 200, etag, body: "<CompleteMultipartUploadResult/>" };
    }
    if (request.method === "PUT") {
      // More than S3 asks for: of a content, whoever leaves one out is not protected where only that one is known.
      if (/[0-9a-f]{64}[.]/.test(key) && digests.some(([given]) => given === undefined)) return refusal(400, "MissingDigest");
      objects.set(key, body);
      return { status: 200, etag };
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return { status: 204 };
    }
    if (key !== "") return objects.has(key) ? { status: 200, body: objects.get(key)! } : refusal(404, "NoSuchKey");
    return { status: 200, body: searchParams.has("uploads") ? listUploads(searchParams) : listObjects(searchParams) };
  };

  const listObjects = (query: URLSearchParams): string => {
    const after = query.get("continuation-token") ?? "";
    const names = [...(server.isListingLate ? [] : objects.keys())]
      .filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after)
      .toSorted();
    const page = names.slice(0, keysPerPage);
    const next =
      names.length > keysPerPage ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return `<ListBucketResult>${next}${page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("")}</ListBucketResult>`;
  };
  const listUploads = (query: URLSearchParams): string => {
    const open = [...uploads].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
    const lines = open.map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    );
    return `<ListMultipartUploadsResult>${lines.join("")}</ListMultipartUploadsResult>`;
  };

  const http = createServer((request, response) => {
    void handle(request).then(({ status, body = "", etag, isCut = false }) => {
      response.writeHead(status, { "content-length": Buffer.byteLength(body), ...(etag === undefined ? {} : { etag }) });
      if (!isCut) response.end(body);
      else response.write(Buffer.from(body).subarray(0, Buffer.byteLength(body) / 2), () => response.destroy());
    });
  });
  await new Promise<void>((done) => void http.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: TestS3Server = {
    filesUrl: `s3://files/nodes?endpoint=${endpoint}`,
    endpoint,
    objects,
    uploads,
    fault: undefined,
    isListingLate: false,
    async stop() {
      http.close().closeAllConnections();
      await once(http, "close");
    },
  };
  return server;
}

function rightOf(method: string | undefined, key: string): S3Right {
  if (method === "PUT" || method === "POST") return "put";
  if (method === "DELETE") return "delete";
  return key === "" ? "list" : "get";
}
