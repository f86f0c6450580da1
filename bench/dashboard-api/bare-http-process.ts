import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveJobs } from "../lib/helper-process.ts";

// Node's own HTTP server that sends fixed bytes: the least that an answer of this size costs.
serveJobs({
  async start({ bytes }: { bytes: number }): Promise<number> {
    const body = randomBytes(bytes);
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": body.length });
      response.end(body);
    });
    server.keepAliveTimeout = 25_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
});
