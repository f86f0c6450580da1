import { createBoundedMap } from "./bounded-map.ts";
import type { Clock } from "./clock.ts";

export interface ExpiringCacheOptions {
  clock: Clock;
  keptMs: number;
  maxEntries: number;
}

/** Values that many request at once, read once in a while; a failed reading is not kept. */
export function createExpiringCache<T>({ clock, keptMs, maxEntries }: ExpiringCacheOptions) {
  const entries = createBoundedMap<string, { value: Promise<T>; until: number }>(maxEntries);
  return {
    get(key: string, read: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      if (known && known.until > clock.monotonic()) return known.value;
      const value = read();
      entries.set(key, { value, until: clock.monotonic() + keptMs });
      value.catch(() => entries.delete(key));
      return value;
    },
  };
}
