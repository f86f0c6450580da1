import type { FilesAddress } from "./files-address.ts";
import { StorageFailure } from "./storage-failure.ts";

/** What the keys must be allowed to do with the objects of the bucket. */
export type S3Right = "list" | "put" | "get" | "delete";

const unknownKeys = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired"]);
const otherRegion = new Set(["PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"]);

/** What is wrong with a storage, in one sentence for who can put it right. */
export function storageFailure(error: unknown, right: S3Right, { bucket, endpoint }: FilesAddress): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const { name, message, code, $metadata } = error as NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const where = `the bucket ${bucket}${endpoint === undefined ? "" : ` at ${endpoint}`} (FILES_URL)`;
  const why = () => {
    if (name === "CredentialsProviderError") return `There are no keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) for ${where}`;
    if (name === "NoSuchBucket") return `The storage of files has no such bucket: ${where}`;
    if (unknownKeys.has(name) || status === 401) return `The storage of files refuses the keys (${name}): ${where}`;
    if (status === 403) return `The keys have no right to ${right} objects: ${where}`;
    if (otherRegion.has(name) || status === 301) return `The storage of files names another region (${message || name}): ${where}`;
    if (name === "TimeoutError" || name === "AbortError") return `The storage of files does not answer: ${where}`;
    if (status === undefined) return `The storage of files cannot be reached (${message || code || name}): ${where}`;
    return `The storage of files answers ${status} (${name}): ${where}`;
  };
  return new StorageFailure(why(), { cause: error });
}
