import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Of whoever calls: what a trusted proxy says of it, without a port; where that is no address, the proxy's own, so that no one chooses freely. */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string {
  const address = ip
    .replace(/^\[([^\]]+)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? (socket.remoteAddress ?? "") : address;
}
