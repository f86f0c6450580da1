import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface ProxyRelay {
  port: number;
  stop(): Promise<void>;
}

/** A proxy in front of a port of this machine that says for whom it connects, as `proxy_protocol on` lets nginx do; `addressOf` is asked for each. */
export async function startProxyRelay(port: number, addressOf: () => string): Promise<ProxyRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((outside) => {
    const inside = connect(port, "127.0.0.1");
    inside.write(`PROXY TCP4 ${addressOf()} 127.0.0.1 49152 ${port}\r\n`);
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      sockets.add(from);
      from
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1_024 });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
