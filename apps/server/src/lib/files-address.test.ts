import { expect, test } from "vitest";
import { parseFilesAddress } from "./files-address.ts";

const none = { prefix: "", endpoint: undefined, region: undefined };
test.each([
  ["s3://bucket", { ...none, bucket: "bucket" }],
  ["s3://my.bucket-1/", { ...none, bucket: "my.bucket-1" }],
  ["s3://bucket//a/b%20c//", { ...none, bucket: "bucket", prefix: "a/b c" }],
  ["s3://bucket?region=eu-1", { ...none, bucket: "bucket", region: "eu-1" }],
  [
    "s3://bucket/p?endpoint=http://s3.example:9000",
    { bucket: "bucket", prefix: "p", endpoint: "http://s3.example:9000", region: undefined },
  ],
  ["s3://bucket?endpoint=https://s3.example&region=x", { ...none, bucket: "bucket", endpoint: "https://s3.example", region: "x" }],
  ["s3://b", undefined],
  ["s3://ab", undefined],
  ["s3://-bucket", undefined],
  ["s3://bucket-", undefined],
  ["s3://Bucket", undefined],
  ["s3://bucket:9000", undefined],
  ["https://bucket", undefined],
  ["bucket", undefined],
  ["s3://bucket?region=", undefined],
  ["s3://bucket?key=x", undefined],
  ["s3://bucket#x", undefined],
  ["s3://bucket?endpoint=s3.example", undefined],
  ["s3://bucket?endpoint=https://", undefined],
])("%s", (text, address) => expect(parseFilesAddress(text)).toEqual(address));
