import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface World {
  /** Of the console, without a slash at the end. */
  url: string;
  /** Where nodes connect. */
  mqttUrl: string;
  dataDir: string;
  stop: () => Promise<void>;
}

/** A world of one test alone, with the people and places of the demo data: no node is simulated, and nothing has a past. */
export const startOwnWorld = (env: Record<string, string> = {}): Promise<World> =>
  startWorld({ SIM_NODES: "0", E2E_WORLD_IS_OWN: "yes", ...env });

/** Starts the whole platform on free ports in a temporary folder. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-e2e-"));
  const child = spawn(process.execPath, [join(import.meta.dirname, "serve-world.ts")], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", V2_PORT: "0", MQTT_PORT: "0", SIM_NODES: "60", LOG_LEVEL: "warn", ...env },
    // It ends when the channel does, however its tests end: a database that is ended with them would stay, and its files in memory.
    detached: true,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = text.split("\n").find((each) => each.startsWith('{"url"'));
      if (found) resolve(found);
    });
    void exited.then((code) => reject(new Error(`The platform ended with code ${code} before it was ready`)));
  });
  const { url, mqttUrl } = JSON.parse(line) as Pick<World, "url" | "mqttUrl">;
  return {
    url,
    mqttUrl,
    dataDir,
    async stop() {
      child.disconnect();
      const code = await exited;
      if (code !== 0) throw new Error(`The platform ended with code ${code}: what it wrote says why`);
    },
  };
}
