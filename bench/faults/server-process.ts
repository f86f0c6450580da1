import { spawn } from "node:child_process";
import { join } from "node:path";

export interface ServerProcess {
  databaseUrl: string;
  /** SIGKILL; its database goes on and is found by the next start. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the production program with all its roles and waits until it is ready. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const script = join(import.meta.dirname, "serve.ts");
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const databaseUrl = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /^ready (\S+)$/m.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    void exited.then(() => reject(new Error("The server ended before it was ready")));
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return { databaseUrl, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}
