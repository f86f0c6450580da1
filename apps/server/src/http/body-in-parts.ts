import { Readable } from "node:stream";
import { setImmediate as othersTurn, setTimeout as pause } from "node:timers/promises";

/** Of bytes. */
const firstPart = 16_384;
/** In which a client that does not want the rest leaves. */
const breathMs = 5;

/** Of the loop, which all bodies share. */
let lastTurn = Promise.resolve();

/**
 * A large body: its beginning, and the rest a little later, so that who leaves at once or asks for it again and again costs only a beginning. A
 * megabyte takes the kernel a millisecond: of many one rest is sent in a turn of the loop, and those who need little go between them.
 */
export const inParts = (bytes: Uint8Array): Readable => Readable.from(partsOf(bytes));

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, firstPart);
  if (bytes.length <= firstPart) return;
  await pause(breathMs);
  lastTurn = lastTurn.then(() => othersTurn());
  await lastTurn;
  yield bytes.subarray(firstPart);
}
