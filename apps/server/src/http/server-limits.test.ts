import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { answerBrokenRequest, limitServer } from "./server-limits.ts";

let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

async function listen(): Promise<number> {
  server = createServer({ connectionsCheckingInterval: 50 }, (_request, response) => response.end("ok"));
  server.on("clientError", answerBrokenRequest);
  limitServer(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/** Sends bytes and gives what came back until the server closed. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

test("headers that are too long or no HTTP at all are answered in JSON and dropped", async () => {
  const port = await listen();
  const long = await exchange(port, `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(long).toMatch(/^HTTP\/1\.1 431 /);
  expect(JSON.parse(long.split("\r\n\r\n")[1] ?? "")).toEqual({ errorCode: "INVALID", errorMessage: "Request Header Fields Too Large" });
  expect(await exchange(port, "\x16\x03\x01 secret\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
});

test("a client that sends its headers for too long is cut off", async () => {
  const port = await listen();
  server.headersTimeout = 100;
  expect(await exchange(port, "GET / HTTP/1.1\r\nhost: x\r\n")).toMatch(/^HTTP\/1\.1 408 /);
});

test("all limits are set", async () => {
  await listen();
  expect([server.maxConnections, server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, server.timeout]).toEqual([
    20_000, 10_000, 20_000, 25_000, 25_000,
  ]);
});
