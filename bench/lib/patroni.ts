import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const programs = ["patroni", "etcd", "haproxy"];
const found = (program: string) => ["/usr/sbin", "/usr/bin"].map((folder) => join(folder, program)).find((path) => existsSync(path));
/** Of Debian's PostgreSQL, newest first. */
const binaries = () => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, "bin")).find((folder) => existsSync(join(folder, "pg_rewind")));
};

/** Why no PostgreSQL that fails over can be run on this machine; undefined when it can. */
export function whyNoPatroni(): string | undefined {
  if (programs.every(found) && binaries() !== undefined) return undefined;
  return "Patroni is not installed (on Debian: apt-get install patroni etcd-server haproxy postgresql python3-etcd)";
}

interface DatabaseNode {
  name: string;
  /** SIGKILL for Patroni and its PostgreSQL: as when the machine is gone. */
  kill(): Promise<void>;
  restart(): void;
}

/** Two nodes of PostgreSQL with synchronous replication under Patroni and etcd, and HAProxy that leads to the primary. */
export interface PatroniCluster {
  /** Through HAProxy. */
  url: string;
  /** Waits until there is a primary and a standby that has all it has. */
  untilWhole(): Promise<{ primary: DatabaseNode; standby: DatabaseNode }>;
  stop(): Promise<void>;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

const password = "of-the-cluster";

export async function startPatroni(folder: string, freePort: () => Promise<number>): Promise<PatroniCluster> {
  mkdirSync(folder, { recursive: true });
  // PostgreSQL does not run as root.
  const user = process.getuid?.() === 0 ? userIds("postgres") : undefined;
  const own = (path: string, mode: number) => {
    chmodSync(path, mode);
    if (user) chownSync(path, user.uid, user.gid);
  };
  own(folder, 0o755);
  const children = new Set<ChildProcess>();
  const run = (program: string, args: string[]) => {
    const child = spawn(found(program)!, args, { stdio: "ignore", cwd: folder, ...user });
    children.add(child);
    return child;
  };
  const end = async (child: ChildProcess) => {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };

  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcdOptions = {
    name: "etcd",
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": etcdUrl,
    "advertise-client-urls": etcdUrl,
    "listen-peer-urls": peerUrl,
    "initial-advertise-peer-urls": peerUrl,
    "initial-cluster": `etcd=${peerUrl}`,
  };
  run(
    "etcd",
    Object.entries(etcdOptions).map(([name, value]) => `--${name}=${value}`),
  );

  const parts: { node: DatabaseNode; restPort: number; port: number }[] = [];
  for (const name of ["one", "two"]) {
    const [port, restPort] = [await freePort(), await freePort()];
    const dataDir = join(folder, name);
    const configFile = join(folder, `${name}.json`);
    writeFileSync(configFile, JSON.stringify(settingsOf({ name, port, restPort, etcdPort, dataDir })));
    own(configFile, 0o600);
    let patroni: ChildProcess | undefined;
    const node: DatabaseNode = {
      name,
      async kill() {
        // PostgreSQL is a process of its own group; its children end with it.
        const { stdout } = spawnSync("head", ["-1", join(dataDir, "postmaster.pid")], { encoding: "utf8" });
        if (patroni) await end(patroni);
        const pid = Number(stdout);
        if (pid > 0) killIfThere(pid);
      },
      restart: () => void (patroni = run("patroni", [configFile])),
    };
    parts.push({ node, restPort, port });
    node.restart();
  }

  const proxy = join(folder, "haproxy.cfg");
  writeFileSync(
    proxy,
    `defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\nlisten primary\n  bind 127.0.0.1:${proxyPort}\n  option httpchk GET /primary\n  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions\n${parts
      .map(({ node, port, restPort }) => `  server ${node.name} 127.0.0.1:${port} check port ${restPort}\n`)
      .join("")}`,
  );
  run("haproxy", ["-f", proxy, "-db"]);

  /** As the nodes that live see it. */
  const members = async (): Promise<Member[]> => {
    for (const { restPort } of parts) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const cluster: PatroniCluster = {
    url: `postgres://postgres:${password}@127.0.0.1:${proxyPort}/postgres`,
    async untilWhole() {
      for (;;) {
        const running = (await members()).filter(({ state }) => state === "running" || state === "streaming");
        const nodeOf = (role: string) =>
          parts.find(({ node }) => running.some((member) => member.name === node.name && member.role === role));
        const [primary, standby] = [nodeOf("leader"), nodeOf("sync_standby")];
        if (primary && standby) return { primary: primary.node, standby: standby.node };
        await pause(200);
      }
    },
    async stop() {
      await Promise.all(parts.map(({ node }) => node.kill()));
      await Promise.all([...children].map(end));
    },
  };
  await cluster.untilWhole();
  return cluster;
}

/** With the shortest times that Patroni takes. */
function settingsOf({
  name,
  port,
  restPort,
  etcdPort,
  dataDir,
}: Record<"port" | "restPort" | "etcdPort", number> & Record<"name" | "dataDir", string>) {
  const address = `127.0.0.1:${port}`;
  const account = (username: string) => ({ username, password });
  return {
    scope: "busbar",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: "256MB" } },
      },
      initdb: [{ encoding: "UTF8" }, "data-checksums"],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: dataDir,
      bin_dir: binaries(),
      pgpass: `${dataDir}.pgpass`,
      authentication: { superuser: account("postgres"), replication: account("replicator"), rewind: account("rewinder") },
      pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
      parameters: { unix_socket_directories: "" },
    },
  };
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
