import { expect, test } from "vitest";
import { storageFailure } from "./s3-problem.ts";
import { StorageFailure } from "./storage-failure.ts";

const where = "the bucket files at http://s3.example (FILES_URL)";
const address = { bucket: "files", prefix: "", endpoint: "http://s3.example", region: undefined };
test.each<[object, string]>([
  [{ name: "CredentialsProviderError" }, `There are no keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) for ${where}`],
  [{ name: "NoSuchBucket", $metadata: { httpStatusCode: 404 } }, `The storage of files has no such bucket: ${where}`],
  [
    { name: "InvalidAccessKeyId", $metadata: { httpStatusCode: 403 } },
    `The storage of files refuses the keys (InvalidAccessKeyId): ${where}`,
  ],
  [{ name: "Odd", $metadata: { httpStatusCode: 401 } }, `The storage of files refuses the keys (Odd): ${where}`],
  [{ name: "AccessDenied", $metadata: { httpStatusCode: 403 } }, `The keys have no right to put objects: ${where}`],
  [
    { name: "PermanentRedirect", message: "use eu-1", $metadata: { httpStatusCode: 400 } },
    `The storage of files names another region (use eu-1): ${where}`,
  ],
  [{ name: "Moved", message: "", $metadata: { httpStatusCode: 301 } }, `The storage of files names another region (Moved): ${where}`],
  [{ name: "TimeoutError" }, `The storage of files does not answer: ${where}`],
  [{ name: "AbortError" }, `The storage of files does not answer: ${where}`],
  [{ name: "Error", message: "", code: "ECONNREFUSED" }, `The storage of files cannot be reached (ECONNREFUSED): ${where}`],
  [{ name: "SlowDown", $metadata: { httpStatusCode: 503 } }, `The storage of files answers 503 (SlowDown): ${where}`],
])("%j", (error, sentence) => {
  const failure = storageFailure(error, "put", address);
  expect([failure.message, failure.cause]).toEqual([sentence, error]);
});

test("of Amazon's own storage no address is named, and what is said already stays", () => {
  const failure = storageFailure({ name: "TimeoutError" }, "get", { ...address, endpoint: undefined });
  expect(failure.message).toBe("The storage of files does not answer: the bucket files (FILES_URL)");
  expect(failure).toBeInstanceOf(StorageFailure);
  expect(storageFailure(failure, "get", address)).toBe(failure);
});
