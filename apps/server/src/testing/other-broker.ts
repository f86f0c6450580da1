import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Aedes, type AedesOptions, type Client } from "aedes";

/** A broker that is not ours, without any rules; it speaks MQTT 3.1.1 only. It can go away and come back on its port, with nothing kept. */
export interface OtherBroker {
  url: string;
  /** Payloads of the platform's wills, in their order. */
  wills: string[];
  stop(): Promise<void>;
  start(): Promise<unknown>;
}

export async function startOtherBroker(options: Partial<AedesOptions> = {}): Promise<OtherBroker> {
  const sockets = new Set<Socket>();
  const wills: string[] = [];
  let server: Server | undefined;
  let broker: Aedes | undefined;
  const lastIds = new Map<string, { next: number }>();
  /**
   * The library numbers the messages of each connection from anywhere. Those that it keeps for a session have their numbers from an earlier one, and
   * whichever it finds first counts as acknowledged: with the same number for two (which MQTT 3.1.1, 2.3.1 forbids) the other is lost.
   */
  const goOnCounting = (client: Client, session: string) => {
    const ids = lastIds.get(session) ?? { next: 1 };
    lastIds.set(session, ids);
    Object.defineProperty(client, "_nextId", {
      get: () => ids.next,
      set(next: number) {
        ids.next = next;
      },
    });
  };
  const start = async (port: number) => {
    broker = await Aedes.createBroker({
      preConnect(client, packet, done) {
        goOnCounting(client, packet.clientId);
        if (packet.will?.topic.includes("/STATE/")) wills.push(packet.will.payload.toString());
        done(null, true);
      },
      ...options,
    });
    const { handle } = broker;
    server = createServer((socket) => {
      sockets.add(socket);
      handle(socket);
    });
    await new Promise<void>((resolve) => server!.listen(port, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await start(0);
  return {
    url: `mqtt://127.0.0.1:${port}`,
    wills,
    start: () => start(port),
    async stop() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await new Promise<void>((resolve) => broker!.close(resolve));
      await new Promise((resolve) => server!.close(resolve));
    },
  };
}
