/** A map that forgets its oldest entry when it is full; reading does not refresh an entry. */
export function createBoundedMap<Key, Value>(
  limit: number,
): Pick<Map<Key, Value>, "get" | "delete" | "clear" | "entries"> & { set(key: Key, value: Value): void } {
  const map = new Map<Key, Value>();
  return {
    get: (key) => map.get(key),
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
    entries: () => map.entries(),
    set(key, value) {
      map.delete(key);
      map.set(key, value);
      if (map.size > limit) for (const oldest of map.keys()) return void map.delete(oldest);
    },
  };
}
