import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Aedes } from "aedes";
import { serveJobs } from "../lib/helper-process.ts";

// The same broker library, without a database and without anyone who listens: what the protocol alone costs.
serveJobs({
  async start(): Promise<number> {
    const broker = await Aedes.createBroker({ concurrency: 1_000 });
    const server = createServer({ noDelay: true }, broker.handle).listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
});
