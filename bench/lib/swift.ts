import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CreateBucketCommand, S3Client, paginateListObjectsV2 } from "@aws-sdk/client-s3";

const parts = ["account", "container", "object"] as const;
const programs = ["swift-ring-builder", "swift-proxy-server", ...parts.map((part) => `swift-${part}-server`)];
// Not asked for their help: each takes most of a second to start.
const isThere = (program: string) => process.env["PATH"]?.split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Why nothing can be run against OpenStack Swift on this machine; undefined when it can. */
export function whyNoSwift(): string | undefined {
  if (existsSync("/etc/swift/swift.conf") && programs.every(isThere)) return undefined;
  return "OpenStack Swift is not installed (on Debian: apt-get install swift-proxy swift-account swift-container swift-object)";
}

/** A whole Swift with `s3api` on one disk, each server a process of its own. */
export interface Swift {
  /** As FILES_URL has it. */
  filesUrl: string;
  env: Record<string, string>;
  /** SIGKILL for all of its servers. */
  kill(): Promise<void>;
  /** After a kill: on the same ports, with what they had written. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Brings what the kills kept from its lists into them, as the updater does every five minutes. */
  update(): void;
  /** Names of all objects. */
  list(): Promise<string[]>;
  stop(): Promise<void>;
}

const bucket = "files";
const keys = { accessKeyId: "busbar:files", secretAccessKey: "the-secret-of-the-storage" };

export async function startSwift(folder: string, freePort: () => Promise<number>): Promise<Swift> {
  mkdirSync(join(folder, "disks", "d1"), { recursive: true });
  const user = userInfo().username;
  const bind = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${user}\nworkers = 0\nswift_dir = ${folder}\n`;
  const confs: string[] = [];
  for (const part of parts) {
    const port = await freePort();
    const ring = [join(folder, `${part}.builder`)];
    for (const step of [["create", "4", "1", "1"], ["add", `r1z1-127.0.0.1:${port}/d1`, "1"], ["rebalance"]]) {
      const { status, stderr } = spawnSync("swift-ring-builder", [...ring, ...step], { encoding: "utf8" });
      if (status === 2) throw new Error(`swift-ring-builder failed: ${stderr}`);
    }
    const conf = `${bind(port)}devices = ${join(folder, "disks")}\nmount_check = false\n[pipeline:main]\npipeline = ${part}-server\n[app:${part}-server]\nuse = egg:swift#${part}\n[${part}-updater]\n`;
    confs.push(write(join(folder, `${part}-server.conf`), conf));
  }
  const port = await freePort();
  // It works without memcached. There is no other disk to turn to while one is thought to be sick.
  const pipeline = "catch_errors cache listing_formats s3api tempauth copy slo dlo symlink proxy-server";
  const filters = pipeline
    .split(" ")
    .slice(0, -1)
    .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`);
  const proxy = `${bind(port)}[pipeline:main]\npipeline = ${pipeline}\n[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nerror_suppression_interval = 0\n${filters.join("")}`;
  confs.push(
    write(
      join(folder, "proxy-server.conf"),
      proxy
        .replace("swift#cache\n", "swift#memcache\nmemcache_servers = 127.0.0.1:9\n")
        .replace("swift#s3api\n", "swift#s3api\nlocation = us-east-1\n")
        .replace("swift#tempauth\n", `swift#tempauth\nuser_busbar_files = ${keys.secretAccessKey} .admin\n`),
    ),
  );

  let children: ChildProcess[] = [];
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: keys,
    requestChecksumCalculation: "WHEN_REQUIRED",
    maxAttempts: 1,
  });
  /** Waits until it takes a bucket; one that is there already is taken too. */
  const untilUp = async () => {
    for (;;) {
      const ended = children.find((child) => child.exitCode !== null);
      if (ended) throw new Error(`${ended.spawnfile} ended with code ${ended.exitCode}`);
      const isUp = await client.send(new CreateBucketCommand({ Bucket: bucket })).then(
        () => true,
        (error: Error) => error.name.startsWith("BucketAlready"),
      );
      if (isUp) return;
      await pause(100);
    }
  };
  const start = async () => {
    children = confs.map((conf) => spawn(`swift-${/(\w+-server)\.conf$/.exec(conf)![1]}`, [conf], { stdio: "ignore" }));
    await untilUp();
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = children;
    children = [];
    await Promise.all(
      ending.map(async (child) => {
        const ended = once(child, "exit");
        child.kill(signal);
        // One that is frozen ends when it goes on.
        child.kill("SIGCONT");
        await ended;
      }),
    );
  };
  await start();
  return {
    filesUrl: `s3://${bucket}/nodes?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    env: { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
    kill: () => end("SIGKILL"),
    restart: start,
    freeze: () => children.forEach((child) => child.kill("SIGSTOP")),
    thaw: () => children.forEach((child) => child.kill("SIGCONT")),
    update: () => void spawnSync("swift-object-updater", [join(folder, "object-server.conf"), "once"], { stdio: "ignore" }),
    async list() {
      const names: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        names.push(...Contents.map(({ Key = "" }) => Key));
      }
      return names;
    },
    stop: () => end("SIGKILL"),
  };
}

function write(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}
