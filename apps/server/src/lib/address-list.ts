import { BlockList, isIP } from "node:net";

const ranges: Record<string, readonly string[]> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether an address is one of those, given as addresses, networks such as 10.1.0.0/16, or a word for a range of private ones. */
export function createAddressList(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of entries.flatMap((entry) => ranges[entry] ?? [entry])) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address = "") => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
}
