import type { Server } from "node:http";
import type { Socket } from "node:net";

const maxConnections = 20_000;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
/** A socket on which nothing moves, such as that of a client that does not read its answer. */
const idleTimeoutMs = 25_000;

/** Slow and greedy clients cost a bounded number of sockets for a bounded time (R11). */
export function limitServer(server: Server): void {
  server.maxConnections = maxConnections;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = idleTimeoutMs;
  server.setTimeout(idleTimeoutMs);
}

const answers: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** What cannot be read as HTTP is answered and dropped; it is not logged, because its bytes may hold a token. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = answers[error.code ?? ""] ?? "400 Bad Request";
  const body = JSON.stringify({ errorCode: "INVALID", errorMessage: status.slice(4) });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
