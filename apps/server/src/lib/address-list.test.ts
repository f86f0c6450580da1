import { expect, test } from "vitest";
import { createAddressList } from "./address-list.ts";

test.each<[string[], string[], string[]]>([
  [["loopback"], ["127.0.0.1", "127.255.0.9", "::1"], ["128.0.0.1", "::2", "10.0.0.1", "", "localhost"]],
  [["linklocal"], ["169.254.1.1", "fe80::1", "febf::1"], ["169.255.0.1", "fec0::1"]],
  [
    ["uniquelocal"],
    ["10.255.0.1", "172.16.0.1", "172.31.255.255", "192.168.9.9", "fc00::1", "fdff::1"],
    ["11.0.0.1", "172.15.255.255", "172.32.0.0", "192.169.0.1", "fe00::1", "127.0.0.1"],
  ],
  [
    ["10.1.0.0/16", "2001:db8::/32"],
    ["10.1.255.255", "2001:db8:ffff::1"],
    ["10.2.0.0", "2001:db9::1"],
  ],
  [
    ["203.0.113.7", "2001:db8::7"],
    ["203.0.113.7", "2001:db8::7"],
    ["203.0.113.8", "2001:db8::8"],
  ],
  [[], [], ["127.0.0.1", "::1"]],
])("%j has %j and not %j", (entries, inside, outside) => {
  const has = createAddressList(entries);
  expect([inside.filter((address) => !has(address)), outside.filter(has)]).toEqual([[], []]);
  expect(has(undefined)).toBe(false);
});
