import { isIP } from "node:net";

/** What the first bytes of a connection say (the PROXY protocol of HAProxy, versions 1 and 2). */
export type ProxyHeader =
  /** The client's own bytes begin at once. */
  | { kind: "none" }
  /** So far it may become a header. */
  | { kind: "more" }
  | { kind: "malformed" }
  /** `address` is undefined for a connection of the proxy itself, such as a health check. */
  | { kind: "header"; length: number; address: string | undefined };

const signature1 = Buffer.from("PROXY ");
const signature2 = Buffer.from("\r\n\r\n\0\r\nQUIT\n");
const longest1 = 107;
/** Version 2 may carry more than addresses, such as a certificate's name. */
const longest2 = 2_048;
const head2 = 16;

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, signature1)) return bytes.length < signature1.length ? { kind: "more" } : readText(bytes);
  if (beginsLike(bytes, signature2)) return bytes.length < head2 ? { kind: "more" } : readBinary(bytes);
  return { kind: "none" };
}

const beginsLike = (bytes: Buffer, signature: Buffer): boolean => {
  const length = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, length).equals(signature.subarray(0, length));
};

function readText(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, longest1).indexOf("\r\n");
  if (end < 0) return { kind: bytes.length < longest1 ? "more" : "malformed" };
  const length = end + 2;
  const [, family, source = "", destination = "", ...ports] = bytes.toString("latin1", 0, end).split(" ");
  if (family === "UNKNOWN") return { kind: "header", length, address: undefined };
  const version = family === "TCP4" ? 4 : family === "TCP6" ? 6 : undefined;
  const isRight = isIP(source) === version && isIP(destination) === version && ports.length === 2 && ports.every(isPort);
  return isRight ? { kind: "header", length, address: source } : { kind: "malformed" };
}

const isPort = (text: string): boolean => /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;

function readBinary(bytes: Buffer): ProxyHeader {
  const [versionAndCommand = 0, family = 0] = bytes.subarray(signature2.length);
  const length = head2 + bytes.readUInt16BE(signature2.length + 2);
  const isLocal = versionAndCommand === 0x20;
  if (length > longest2 || (!isLocal && versionAndCommand !== 0x21)) return { kind: "malformed" };
  if (bytes.length < length) return { kind: "more" };
  if (isLocal || family === 0x00) return { kind: "header", length, address: undefined };
  const address = family === 0x11 ? addressIn(bytes, 4, length) : family === 0x21 ? addressIn(bytes, 16, length) : undefined;
  return address === undefined ? { kind: "malformed" } : { kind: "header", length, address };
}

/** The first of two addresses and two ports. */
function addressIn(bytes: Buffer, size: 4 | 16, length: number): string | undefined {
  if (length < head2 + 2 * size + 4) return undefined;
  const source = bytes.subarray(head2, head2 + size);
  if (size === 4) return source.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => source.readUInt16BE(2 * index).toString(16));
  return groups.join(":");
}
