import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProxyHeader } from "./proxy-header.ts";

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n");
const connect = Buffer.from([0x10, 0x0c, 0, 4, 0x4d, 0x51, 0x54, 0x54]);
const binary = (command: number, family: number, body: readonly number[], length = body.length) =>
  Buffer.from([...signature, command, family, length >> 8, length & 255, ...body]);
const ports = [0xc0, 0x00, 0x07, 0x5b];
const ipv4 = [203, 0, 113, 7, 10, 0, 0, 1, ...ports];
const ipv6 = [0x20, 0x01, 0x0d, 0xb8, ...Array.from({ length: 27 }, () => 0), 1, ...ports];

describe("A-40 a PROXY header", () => {
  test.each([
    ["of version 1", Buffer.from("PROXY TCP4 203.0.113.7 10.0.0.1 49152 1883\r\n"), "203.0.113.7"],
    ["of version 1 with IPv6", Buffer.from("PROXY TCP6 2001:db8::7 ::1 49152 1883\r\n"), "2001:db8::7"],
    ["of version 1 that does not know", Buffer.from("PROXY UNKNOWN\r\n"), undefined],
    ["of version 1 that does not know, with more", Buffer.from("PROXY UNKNOWN ffff::1 ffff::1 1 2\r\n"), undefined],
    ["of version 2", binary(0x21, 0x11, ipv4), "203.0.113.7"],
    ["of version 2 with more behind the addresses", binary(0x21, 0x11, [...ipv4, 0x04, 0, 1, 0]), "203.0.113.7"],
    ["of version 2 with IPv6", binary(0x21, 0x21, ipv6), "2001:db8:0:0:0:0:0:0"],
    ["of version 2, of the proxy itself", binary(0x20, 0x00, []), undefined],
    ["of version 2 that does not know", binary(0x21, 0x00, []), undefined],
  ])("%s is read whatever the pieces are that it comes in", (_what, header, address) => {
    const bytes = Buffer.concat([header, connect]);
    for (let length = 1; length < header.length; length++) expect(readProxyHeader(bytes.subarray(0, length))).toEqual({ kind: "more" });
    for (let length = header.length; length <= bytes.length; length++) {
      expect(readProxyHeader(bytes.subarray(0, length))).toEqual({ kind: "header", length: header.length, address });
    }
  });

  test.each([
    ["an address that is none", Buffer.from("PROXY TCP4 203.0.113.256 10.0.0.1 1 2\r\n")],
    ["an address of the other family", Buffer.from("PROXY TCP6 203.0.113.7 10.0.0.1 1 2\r\n")],
    ["a port that is none", Buffer.from("PROXY TCP4 203.0.113.7 10.0.0.1 1 65536\r\n")],
    ["ports with signs", Buffer.from("PROXY TCP4 203.0.113.7 10.0.0.1 +1 2\r\n")],
    ["a port too few", Buffer.from("PROXY TCP4 203.0.113.7 10.0.0.1 1\r\n")],
    ["another protocol", Buffer.from("PROXY UDP4 203.0.113.7 10.0.0.1 1 2\r\n")],
    ["no end", Buffer.from(`PROXY TCP4 ${"1".repeat(200)}`)],
    ["an end too late", Buffer.from(`PROXY UNKNOWN ${"x".repeat(100)}\r\n`)],
    ["another version", binary(0x31, 0x11, ipv4)],
    ["another command", binary(0x22, 0x11, ipv4)],
    ["datagrams", binary(0x21, 0x12, ipv4)],
    ["addresses that are cut", binary(0x21, 0x11, ipv4.slice(0, 8))],
    ["IPv6 addresses that are cut", binary(0x21, 0x21, ipv4)],
    ["64 KiB", binary(0x21, 0x11, ipv4, 65_535)],
  ])("with %s is malformed", (_what, header) => {
    expect(readProxyHeader(header)).toEqual({ kind: "malformed" });
  });

  test("is not seen in what a client sends by itself, and no bytes whatever are too much", () => {
    expect(readProxyHeader(connect)).toEqual({ kind: "none" });
    fc.assert(
      fc.property(fc.constantFrom(Buffer.alloc(0), Buffer.from("PROXY "), signature), fc.uint8Array({ maxLength: 300 }), (head, rest) => {
        const bytes = Buffer.concat([head, rest]);
        const header = readProxyHeader(bytes);
        return header.kind !== "header" || header.length <= bytes.length;
      }),
    );
  });
});
