import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Checks the signature (AWS version 4, in the header) and the digest of the body that it covers.
 * @returns S3's code for what is wrong
 */
export function signatureProblem({ method = "", url = "", headers }: IncomingMessage, body: Buffer, keys: S3Keys): string | undefined {
  const fields =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, scope = "", names = "", signature] = fields.exec(headers.authorization ?? "") ?? [];
  if (signature === undefined) return "AccessDenied";
  if (keyId !== keys.accessKeyId) return "InvalidAccessKeyId";
  const digest = String(headers["x-amz-content-sha256"]);
  if (digest !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const { pathname, searchParams } = new URL(url, "http://host");
  const request = [
    method,
    pathname,
    [...searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, " ")}`),
    "",
    names,
    digest,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(request)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${keys.secretAccessKey}`);
  return hmac(key, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}
