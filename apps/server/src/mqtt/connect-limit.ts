import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { createTokenBucket } from "./token-bucket.ts";
import type { TokenBucket } from "./token-bucket.ts";

const perAddressPerSecond = 50;
const maxAddresses = 10_000;
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** Connections per second and address; this machine itself is free, a fleet simulator runs there. */
export function createConnectLimit(clock: Clock): (address: string) => boolean {
  const buckets = createBoundedMap<string, TokenBucket>(maxAddresses);
  return (address) => {
    if (loopback.test(address)) return true;
    let bucket = buckets.get(address);
    if (bucket === undefined) {
      bucket = createTokenBucket(perAddressPerSecond);
      buckets.set(address, bucket);
    }
    return bucket.take(clock.monotonic()) === 0;
  };
}
