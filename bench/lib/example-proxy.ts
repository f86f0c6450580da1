import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const shipped = new URL("../../deploy/nginx.conf", import.meta.url);
const streamModule = "/usr/lib/nginx/modules/ngx_stream_module.so";

export interface ExamplePorts {
  /** Where the proxy listens. */
  http: number;
  https: number;
  mqtts: number;
  /** Where the program listens; the API in one process or more. */
  api: number | number[];
  mqtt: number;
}

/** Why `deploy/nginx.conf` cannot be tried on this machine; undefined when it can. */
export function whyNoExampleProxy(): string | undefined {
  const found = spawnSync("nginx", ["-V"], { encoding: "utf8" });
  if (found.error) return "nginx is not installed";
  if (!found.stderr.includes("--with-stream")) return "this nginx has no stream module";
  return found.stderr.includes("--with-stream=dynamic") && !existsSync(streamModule) ? "nginx's stream module is not installed" : undefined;
}

/** Writes `deploy/nginx.conf` for this machine: other ports, an own certificate, nothing outside of the folder. @returns its path */
export function writeExampleProxy(folder: string, ports: ExamplePorts): string {
  for (const name of ["certs", "temp"]) mkdirSync(join(folder, name), { recursive: true });
  const made = spawnSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -out fullchain.pem -keyout privkey.pem`.split(
      " ",
    ),
    { cwd: join(folder, "certs") },
  );
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr?.toString() ?? String(made.error)}`);
  const changes: [from: string | RegExp, to: string][] = [
    [
      /^worker_processes/m,
      `${process.getuid?.() === 0 ? "user root;\n" : ""}pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nworker_processes`,
    ],
    ["http {", `http {\n  access_log off;\n${tempPaths(folder)}`],
    ["listen 80;", `listen 127.0.0.1:${ports.http};`],
    ["listen 443 ssl", `listen 127.0.0.1:${ports.https} ssl`],
    ["listen 8883 ssl", `listen 127.0.0.1:${ports.mqtts} ssl`],
    [
      /^ *server busbar:8080(.*;)$/gm,
      [ports.api]
        .flat()
        .map((port) => `    server 127.0.0.1:${port}$1`)
        .join("\n"),
    ],
    ["busbar:1883", `127.0.0.1:${ports.mqtt}`],
  ];
  let text = readFileSync(shipped, "utf8").replaceAll("/etc/nginx/certs", join(folder, "certs"));
  for (const [from, to] of changes) {
    const changed = typeof from === "string" ? text.replaceAll(from, to) : text.replace(from, to);
    if (changed === text) throw new Error(`deploy/nginx.conf has no ${String(from)} any more`);
    text = changed;
  }
  const path = join(folder, "nginx.conf");
  writeFileSync(path, existsSync(streamModule) ? `load_module ${streamModule};\n${text}` : text);
  return path;
}

const tempPaths = (folder: string): string =>
  ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${folder}/temp/${name};`).join("\n");

/** What nginx says of a configuration; undefined when it is right. */
export function findFault(path: string): string | undefined {
  const { status, stderr } = spawnSync("nginx", ["-t", "-c", path], { encoding: "utf8" });
  return status === 0 ? undefined : stderr;
}

/** Runs nginx until `stop`. */
export async function startExampleProxy(path: string, { mqtts }: ExamplePorts): Promise<{ stop(): Promise<void> }> {
  const child = spawn("nginx", ["-c", path, "-g", "daemon off;"], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  while (!(await canConnect(mqtts))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
    await pause(50);
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
