/** Bytes that are collected in pages: a long list costs what it holds, not an object for each piece. */
export interface ByteList {
  readonly length: number;
  add(piece: Uint8Array): void;
  /** All of it, in its order. */
  pages(): Uint8Array[];
}

const pageBytes = 64 * 1024;

export function createByteList(): ByteList {
  const full: Uint8Array[] = [];
  let page = new Uint8Array(0);
  let used = 0;
  return {
    get length() {
      return full.length * pageBytes + used;
    },
    add(piece) {
      for (let rest = piece; rest.length > 0;) {
        if (used === page.length) {
          if (used > 0) full.push(page);
          page = new Uint8Array(pageBytes);
          used = 0;
        }
        const part = rest.subarray(0, pageBytes - used);
        page.set(part, used);
        used += part.length;
        rest = rest.subarray(part.length);
      }
    },
    pages: () => [...full, page.subarray(0, used)],
  };
}
