import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const given = new Set<number>();

/**
 * A port for a server that starts later, or again. It is below those that the system gives to connections, one of which could take it
 * meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  if (given.has(port)) return freePort();
  given.add(port);
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return freePort();
  }
  await new Promise((done) => probe.close(done));
  return port;
}
