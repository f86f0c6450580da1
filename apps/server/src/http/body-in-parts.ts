import { setImmediate as othersTurn, setTimeout as pause } from "node:timers/promises";
import type { Writable } from "node:stream";

/** Of bytes. */
const firstPart = 16_384;
/** Of bytes: what the kernel takes in a quarter of a millisecond. */
const nextParts = 262_144;
/** In which a client that does not want the rest leaves. */
const breathMs = 5;

/** Of the loop, which all bodies share. */
let lastTurn = Promise.resolve();

/**
 * A large body: its beginning, and the rest a little later, so that who leaves at once or asks for it again and again costs only a beginning. A
 * megabyte takes the kernel a millisecond: in a turn of the loop one part of one body is sent, and those who need little go between them.
 */
export async function sendInParts(response: Writable, bytes: Uint8Array): Promise<void> {
  if (response.destroyed) return;
  response.write(bytes.subarray(0, firstPart));
  if (bytes.length > firstPart) await pause(breathMs);
  for (let sent = firstPart; sent < bytes.length; sent += nextParts) {
    await roomIn(response);
    lastTurn = lastTurn.then(() => othersTurn());
    await lastTurn;
    if (response.destroyed) return;
    response.write(bytes.subarray(sent, sent + nextParts));
  }
  response.end();
}

/** Or its end. */
function roomIn(response: Writable): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
  return new Promise((done) => {
    const goOn = () => {
      response.off("drain", goOn).off("close", goOn);
      done();
    };
    response.on("drain", goOn).on("close", goOn);
  });
}
