import { isIPv4, isIPv6 } from "node:net";

/** The site that an address stands for: an IPv6 network of 64 bits is one customer of a provider. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIPv4(address) || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("%", 1)[0]!.split("::", 2);
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
