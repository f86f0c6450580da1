import type { Server } from "node:http";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** People who come back at the same instant, as after a restart, wait in the queue of the system: it takes what its own limit allows. */
const backlog = 4_096;
const mostTurns = 500;
const quietTurnMs = 1;

/** Listens and returns the port that was taken; a refusal becomes a sentence that names the variable. */
export async function listen(app: FastifyInstance, variable: string, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port, backlog });
  } catch (error) {
    throw new Error(whyNot(error as NodeJS.ErrnoException, variable, host, port), { cause: error });
  }
  const address = app.server.address();
  return typeof address === "object" && address ? address.port : port;
}

export function whyNot(error: NodeJS.ErrnoException, variable: string, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `${variable} ${port} is in use on ${host}. Stop the other program or set ${variable} to another port.`;
  if (error.code === "EACCES") return `${variable} ${port} may not be used by this user. Set ${variable} to a port above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") return `HOST ${host} is no address of this machine.`;
  return `${variable} ${port} cannot be used on ${host}: ${error.message}`;
}

/** Answers as before and lets each connection end with its answer: whoever comes again is led to another process. */
export function endConnections(app: FastifyInstance): void {
  app.server.prependListener("request", (_request, response) => void response.setHeader("connection", "close"));
}

/**
 * The system resets connections that it has taken and we have not, and a proxy may not send a change again: we stop in a turn of the loop
 * that was short, and in which no one came.
 */
async function stopListening(server: Server): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn++) {
    let hasCome = false;
    const note = () => (hasCome = true);
    const beganAt = performance.now();
    server.once("connection", note);
    await turnOfLoop();
    server.off("connection", note);
    if (!hasCome && performance.now() - beganAt < quietTurnMs) break;
  }
  server.close();
}

/** Lets proxies lead elsewhere, stops taking connections and waits for running calls, at most `drainMs`. */
export async function closeApp(app: FastifyInstance, drainMs: number): Promise<void> {
  await app.leaveProxies();
  await stopListening(app.server);
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(timer);
}
