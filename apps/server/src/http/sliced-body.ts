import { Readable } from "node:stream";
import { setImmediate as othersTurn } from "node:timers/promises";

/** What the kernel copies in some twenty microseconds. */
const sliceBytes = 128 * 1024;
/** Smaller bodies are sent at once. */
const smallBytes = 2 * sliceBytes;

let lastTurn = Promise.resolve();
const ownTurn = () => (lastTurn = lastTurn.then(() => othersTurn()));

/**
 * A large body in slices, of which one goes out in each turn of the loop, whoever it is for: the kernel takes a millisecond for a megabyte, and many
 * who ask for megabytes would keep those waiting who need little. What is left waits for its reader without being copied.
 */
export function inSlices(bytes: Uint8Array): Uint8Array | Readable {
  if (bytes.length <= smallBytes) return bytes;
  let at = 0;
  const body = new Readable({
    highWaterMark: sliceBytes,
    read() {
      void ownTurn().then(() => {
        if (body.destroyed) return;
        const slice = bytes.subarray(at, at + sliceBytes);
        at += slice.length;
        body.push(slice);
        if (at === bytes.length) body.push(null);
      });
    },
  });
  return body;
}
