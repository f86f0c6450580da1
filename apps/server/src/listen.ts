import type { FastifyInstance } from "fastify";

/** People who come back at the same instant, as after a restart, wait in the queue of the system: it takes what its own limit allows. */
const backlog = 4_096;

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

/** Stops taking connections and waits for running calls, at most `drainMs`. */
export async function closeApp(app: FastifyInstance, drainMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(timer);
}
