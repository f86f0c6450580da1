import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";

/** Hands every connection on, byte by byte, as an SSH tunnel or a container's port mapping does. Returns its port and what stops it. */
export async function forwardTcp(to: URL, { host = "127.0.0.1", port = 0 } = {}): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection({ host: to.hostname, port: Number(to.port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
