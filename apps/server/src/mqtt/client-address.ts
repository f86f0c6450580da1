import type { Socket } from "node:net";
import { readProxyHeader } from "./proxy-header.ts";

/** For whom a proxy connects; undefined when it did not say so, and "malformed" when it said it wrongly or too slowly. */
export type ForwardedAddress = { address: string | undefined } | "malformed";

/** Reads the PROXY header that a trusted proxy may send first; what follows it stays in the socket. `done` is not called when the socket ends. */
export function takeForwardedAddress(socket: Socket, timeoutMs: number, done: (forwarded: ForwardedAddress) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const settle = (forwarded: ForwardedAddress, rest: Buffer) => {
    clearTimeout(timer);
    socket.off("readable", read).off("close", forget);
    if (rest.length > 0) socket.unshift(rest);
    done(forwarded);
  };
  const forget = () => clearTimeout(timer);
  const read = () => {
    for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const header = readProxyHeader(bytes);
      if (header.kind === "malformed") return settle("malformed", Buffer.alloc(0));
      if (header.kind === "none") return settle({ address: undefined }, bytes);
      if (header.kind === "header") return settle({ address: header.address }, bytes.subarray(header.length));
    }
  };
  const timer = setTimeout(() => settle("malformed", Buffer.alloc(0)), timeoutMs);
  socket.on("readable", read).once("close", forget);
}
