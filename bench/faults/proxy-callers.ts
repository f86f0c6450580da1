import { Agent, request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

const everyMs = 500;
const patienceMs = 20_000;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
  body: string;
}

export interface Call {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** From where it is called. */
  localAddress?: string;
  agent?: Agent | undefined;
}

/** One call over TLS, to its last byte. The certificate is one of our own. */
export const callProxy = ({ port, path, method = "GET", headers, body, localAddress, agent }: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, rejectUnauthorized: false, timeout: patienceMs };
    const sent = request({ ...options, headers: { ...headers }, ...(localAddress ? { localAddress } : {}), ...(agent ? { agent } : {}) });
    sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers: answered, rawHeaders } = response;
        resolve({ status, headers: answered, rawHeaders, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(body);
  });

/** People who poll the dashboard, some of whom also save and delete a view; every call that is not answered as it should be is kept. */
export function createCallers({ port, tokens, writers }: { port: number; tokens: readonly string[]; writers: number }) {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const count = { polls: 0, writes: 0 };
  const stopping = new AbortController();

  const call = async (method: string, path: string, token: string, body?: unknown): Promise<string | undefined> => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers: Record<string, string> = {
      token,
      ...(text ? { "content-type": "application/json", "content-length": String(text.length) } : {}),
    };
    try {
      const answer = await callProxy({ port, path, method, headers, body: text, agent });
      if (answer.status === 200) return answer.body;
      failures.push(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${(error as Error).message}`);
    }
    return undefined;
  };
  const poll = async (token: string, index: number) => {
    await pause((index * everyMs) / tokens.length);
    while (!stopping.signal.aborted) {
      await call("GET", "/api/node-dashboard", token);
      count.polls++;
      await pause(everyMs);
    }
  };
  const write = async (token: string, index: number) => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const view = { list: "nodes", name: `view ${index}-${nth}`, isShared: false, query: "" };
      const saved = await call("POST", "/api/views", token, view);
      count.writes++;
      if (saved !== undefined) await call("DELETE", `/api/views/${(JSON.parse(saved) as { data: { id: number } }).data.id}`, token);
      await pause(everyMs / 10);
    }
  };
  const running = [...tokens.map(poll), ...tokens.slice(0, writers).map(write)];
  return {
    /** Waits until as many polls were answered as there are people. */
    async allAnswered() {
      const before = count.polls;
      while (count.polls - before < tokens.length) await pause(20);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      agent.destroy();
      return { ...count, failures };
    },
  };
}
