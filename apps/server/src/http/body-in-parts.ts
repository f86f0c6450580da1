import type { ServerResponse } from "node:http";
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
export async function sendInParts(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.destroyed) return;
  response.write(bytes.subarray(0, firstPart));
  if (bytes.length > firstPart) {
    await pause(breathMs);
    lastTurn = lastTurn.then(() => othersTurn());
    await lastTurn;
  }
  if (!response.destroyed) response.end(bytes.subarray(firstPart));
}
