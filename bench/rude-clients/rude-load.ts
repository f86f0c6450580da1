import { Agent, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface RudeInput {
  origin: string;
  tokens: string[];
  clients: number;
  seconds: number;
}

/** How often each manner was tried. */
export type RudeResult = Record<string, number>;

const path = "/api/node-dashboard";
const everyMs = 2_000;
const oddRevisions = ["", "0", "-1", "1e3", "abc", "9007199254740993", "99999999999999999999", "%00", "1&since=2", "NaN"];
const oddEncodings = ["identity", "gzip", "br", "zstd", "gzip;q=0", "*", "zstd, gzip, br", "x-unknown", ""];

type Manner = (input: RudeInput, token: string, round: number) => Promise<void>;

const manners: Record<string, Manner> = {
  "asks and never reads": (input, token) => untilClosed(input, `GET ${path} HTTP/1.1\r\nhost: busbar\r\ntoken: ${token}\r\n\r\n`),
  "opens, says half a sentence and closes": async (input, token) => {
    const socket = toServer(input);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: busbar\r\ntoken: ${token.slice(0, 20)}`);
    await wait(50);
    socket.destroy();
  },
  "asks since odd revisions": async (input, token, round) => {
    const since = oddRevisions[round % oddRevisions.length] ?? "";
    await drain(await ask(input, `${path}?since=${since}`, { token, "accept-encoding": "zstd" }));
  },
  "changes its encoding": async (input, token, round) => {
    const response = await ask(input, `${path}?since=999999`, {
      token,
      "accept-encoding": oddEncodings[round % oddEncodings.length] ?? "",
    });
    await drain(response);
  },
  "leaves at the first byte": async (input, token) => {
    const response = await ask(input, path, { token, "accept-encoding": "zstd" });
    response.destroy();
  },
};

/** Clients with a valid token that behave badly, each in one manner, every two seconds. */
export function createRudeLoad() {
  return {
    async run(input: RudeInput): Promise<RudeResult> {
      const result: RudeResult = Object.fromEntries(Object.keys(manners).map((name) => [name, 0]));
      const endsAt = performance.now() + input.seconds * 1_000;
      const clients = Array.from({ length: input.clients }, async (_, index) => {
        const [name, behave] = Object.entries(manners)[index % Object.keys(manners).length]!;
        const token = input.tokens[index % input.tokens.length]!;
        await wait((index / input.clients) * everyMs);
        for (let round = 0; performance.now() < endsAt; round++) {
          result[name] = (result[name] ?? 0) + 1;
          // What the server does with it is its business: only others must not suffer.
          await Promise.race([behave(input, token, round).catch(() => undefined), wait(Math.max(0, endsAt - performance.now()))]);
          await wait(everyMs);
        }
      });
      await Promise.all(clients);
      return result;
    },
  };
}
export type RudeLoad = ReturnType<typeof createRudeLoad>;

function toServer({ origin }: RudeInput) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  return socket;
}

function untilClosed(input: RudeInput, text: string): Promise<void> {
  const socket = toServer(input);
  socket.pause();
  socket.write(text);
  return new Promise((done) => socket.once("close", () => done()));
}

function ask({ origin }: RudeInput, pathAndQuery: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const call = request(origin + pathAndQuery, { headers, agent: new Agent(), timeout: 30_000 }, done);
    call.on("timeout", () => call.destroy());
    call.on("error", fail);
    call.end();
  });
}

function drain(response: IncomingMessage): Promise<void> {
  response.resume();
  return new Promise((done) => response.once("close", () => done()));
}
