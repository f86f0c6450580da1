import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { callerAddress } from "./caller-address.ts";

const proxy = { remoteAddress: "10.1.2.3" } as Socket;

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:5555", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["garbage<script>", "10.1.2.3"],
  ["203.0.113.999", "10.1.2.3"],
  ["", "10.1.2.3"],
])("who calls through a proxy that says %j is at %s", (ip, address) => {
  expect(callerAddress({ ip, socket: proxy })).toBe(address);
});
