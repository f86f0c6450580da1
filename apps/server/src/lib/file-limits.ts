import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";

/** Bytes of a file, packed as well as unpacked. */
export const maxFileBytes: Record<DataFileKind, number> = {
  D: 256 * 1024,
  S: 2 * 1024 * 1024,
  H: 2 * 1024 * 1024,
  E: 20 * 1024 * 1024,
  X: 20 * 1024 * 1024,
};
