import { fork } from "node:child_process";
import { once } from "node:events";

/** Named functions that a helper process offers. */
// oxlint-disable-next-line typescript/no-explicit-any -- each job has its own input and output
export type Jobs = Record<string, (input: any) => Promise<unknown>>;

export interface Helper<J extends Jobs> {
  pid: number;
  call<K extends keyof J & string>(name: K, input: Parameters<J[K]>[0]): Promise<Awaited<ReturnType<J[K]>>>;
  stop(): Promise<void>;
}

interface Request {
  id: number;
  name: string;
  input: unknown;
}
interface Answer {
  id: number;
  output?: unknown;
  error?: string;
}

/** Starts a file that calls `serveJobs`, so that a load generator never shares a process with what it measures. */
export async function startHelper<J extends Jobs>(file: URL): Promise<Helper<J>> {
  const child = fork(file, { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, { done: (output: unknown) => void; fail: (error: Error) => void }>();
  let lastId = 0;
  child.on("message", ({ id, output, error }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.done(output);
    else call?.fail(new Error(error));
  });
  const ended = once(child, "exit").then(() => {
    for (const { fail } of waiting.values()) fail(new Error(`The helper process ${file.pathname} ended early`));
    waiting.clear();
  });
  await once(child, "spawn");
  return {
    pid: child.pid ?? 0,
    call: (name, input) =>
      new Promise((done, fail) => {
        const id = ++lastId;
        waiting.set(id, { done: done as (output: unknown) => void, fail });
        child.send({ id, name, input } satisfies Request);
      }),
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), 3_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The helper's side: runs what its parent calls, and ends with it. */
export function serveJobs(jobs: Jobs): void {
  process.on("message", ({ id, name, input }: Request) => {
    const answer = (fields: Omit<Answer, "id">) => {
      if (process.connected) process.send?.({ id, ...fields } satisfies Answer);
    };
    const job = jobs[name];
    if (!job) return answer({ error: `There is no job ${name}` });
    job(input).then(
      (output) => answer({ output }),
      (error: Error) => answer({ error: error.stack ?? error.message }),
    );
  });
  process.once("disconnect", () => process.exit());
}
