import { createHash } from "node:crypto";
import { maxParts, type FilePart } from "./file-part.ts";

/** A whole file whose size and digest are those that its sender declared. */
export type AssembledFile = Pick<FilePart, "name" | "parsed" | "md5" | "isGzip" | "bytes">;

/** Codes of the Files/Ack command, those of Tahu's file example. */
export const fileAckCodes = { success: 200, continue: 100, sequenceError: 500, md5Error: 502, timeout: 408 } as const;
export type FileAckCode = (typeof fileAckCodes)[keyof typeof fileAckCodes];

/** What to notify a sender of. */
export interface FileVerdict {
  code: FileAckCode;
  missing: readonly number[];
}

export interface FileAssembly {
  readonly md5: string;
  readonly size: number;
  /** Bytes held. */
  readonly held: number;
  /** Monotonic milliseconds of the newest part. */
  readonly touchedAt: number;
  /** Parts that are known to be lacking: holes, and those up to the end where the size of a part is known. */
  missing(): number[];
  add(part: FilePart, now: number): AssembledFile | FileVerdict | undefined;
}

/** Puts the parts of one file together, whatever their order and however often they come. */
export function createFileAssembly(first: Pick<FilePart, "md5" | "size">, now: number): FileAssembly {
  const parts = new Map<number, Buffer>();
  let held = 0;
  let longest = 1;
  let highest = 0;
  let touchedAt = now;
  const { md5, size } = first;

  const partCount = (): number => Math.max(Math.min(Math.ceil(size / longest), maxParts), highest + 1);
  const missing = () => Array.from({ length: partCount() }, (_, seq) => seq).filter((seq) => !parts.has(seq));

  return {
    md5,
    size,
    get held() {
      return held;
    },
    get touchedAt() {
      return touchedAt;
    },
    missing,
    add(part, at) {
      touchedAt = at;
      const known = parts.get(part.seq);
      // The same number with other bytes: one of them is not of this file.
      if (known && !known.equals(part.bytes)) return { code: fileAckCodes.sequenceError, missing: [] };
      if (!known) {
        // A copy: the message's buffer is not ours to keep.
        parts.set(part.seq, Buffer.from(part.bytes));
        held += part.bytes.length;
        longest = Math.max(longest, part.bytes.length);
        highest = Math.max(highest, part.seq);
      }
      if (held > size) return { code: fileAckCodes.sequenceError, missing: [] };
      if (held < size) {
        const isLast = part.seq === partCount() - 1;
        return isLast && !known ? { code: fileAckCodes.continue, missing: missing() } : undefined;
      }
      if ([...parts.keys()].some((seq) => seq >= parts.size)) return { code: fileAckCodes.sequenceError, missing: [] };
      const bytes = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, content]) => content));
      if (createHash("md5").update(bytes).digest("hex") !== md5) return { code: fileAckCodes.md5Error, missing: [] };
      return { name: part.name, parsed: part.parsed, md5, isGzip: part.isGzip, bytes };
    },
  };
}

export function isAssembled(outcome: AssembledFile | FileVerdict): outcome is AssembledFile {
  return "bytes" in outcome;
}
