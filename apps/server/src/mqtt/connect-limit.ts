import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

const perSecond = 1;
const savedUp = 60;
const maxNodes = 100_000;

/** Connections of one node, asked once it has shown its secret: no one else can use them up, and a refused one costs it nothing. */
export function createConnectLimit(clock: Clock): (serial: string) => boolean {
  const buckets = createBoundedMap<string, TokenBucket>(maxNodes);
  return (serial) => {
    let bucket = buckets.get(serial);
    if (bucket === undefined) {
      bucket = createTokenBucket(perSecond, savedUp);
      buckets.set(serial, bucket);
    }
    return bucket.tryTake(clock.monotonic());
  };
}
