import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A network between a process and its database that can be cut: nothing comes through, and no one is notified. */
export interface DatabaseRelay {
  url: string;
  cut(): void;
  heal(): void;
  stop(): Promise<void>;
}

const socketName = ".s.PGSQL.5432";

/** @param url of a database on a unix socket, as tests have it */
export async function startDatabaseRelay(url: string): Promise<DatabaseRelay> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-relay-"));
  const inner = new URL(url.replace("@/", "@localhost/")).searchParams.get("host")!;
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((outside) => {
    const inside = connect(join(inner, socketName));
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined).on("close", () => to.destroy());
      from.on("data", (chunk: Buffer) => to.write(chunk));
      if (isCut) from.pause();
    }
  });
  server.listen(join(folder, socketName));
  await once(server, "listening");
  return {
    url: url.replace(encodeURIComponent(inner), encodeURIComponent(folder)).replace(inner, folder),
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
