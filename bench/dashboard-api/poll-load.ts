import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { createLatencies, type LatencySummary } from "../lib/latencies.ts";
import { keyOf, type Sightings } from "../freshness/follow-rows.ts";

export interface PollInput {
  origin: string;
  /** One for each poller. */
  tokens: string[];
  seconds: number;
  /** After each poller has its first answer; nothing counts until then. */
  warmupSeconds: number;
  pollEveryMs: number;
  updatesEveryMs: number;
  dashboardPath: string;
  /** Instead of it, one for each poller. */
  paths?: string[];
  updatesPath: string;
  /** Nodes whose new values are looked for in the answers, after the last measured poll until each that `lookFor` names was in one. */
  probes?: number[] | undefined;
  /** False for a server that answers with bytes that mean nothing. */
  hasRevisions: boolean;
}

export interface BodySizes {
  encoding: string;
  full: { count: number; bytes: number };
  delta: { count: number; bytes: number; nodes: number };
}

export interface PollResult {
  polls: LatencySummary;
  updates: LatencySummary;
  /** How late this process itself sent requests. */
  lateness: LatencySummary;
  requests: number;
  errors: number;
  firstError: string | undefined;
  notModified: number;
  sizes: BodySizes[];
  /** When a value of a probe was first in an answer. */
  sightings: Sightings;
  /** Mean bytes of one answer to a poll in the measured time. */
  bytesPerPoll: number;
}

interface Answer {
  status: number;
  encoding: string;
  etag: string;
  body: Buffer;
}

type Facts = Pick<NodeDashboard, "revision" | "isFull">;
type ChangedNode = Partial<NodeDashboard["dashboardNodeMap"][string]>;

/** What an answer says; the same bytes are read once. */
interface Reading {
  revision: string;
  isFull: boolean;
  nodes: number;
  /** Keys of the probes' values in it. */
  probes: string[];
}

// Nine of ten read the newest encoding, as browsers do.
const encodings = (index: number) => (index % 10 === 9 ? "gzip" : "gzip, deflate, br, zstd");
const maxReadings = 400;
const timeoutMs = 10_000;
const longestLookMs = 60_000;
const lookEveryMs = 200;

/** Many people with the dashboard open: each polls on its own connection at its own fixed times, whatever the answers take. */
export function createPollLoad() {
  const readings = new Map<string, Promise<Reading>>();
  const allHaveAnswers = Promise.withResolvers<void>();
  const published = Promise.withResolvers<readonly string[]>();

  async function poll(input: PollInput): Promise<PollResult> {
    const { tokens, seconds, warmupSeconds, pollEveryMs, updatesEveryMs, hasRevisions } = input;
    const pollLatencies = createLatencies();
    const updateLatencies = createLatencies();
    const latenessOfOwn = createLatencies();
    const sizes = new Map<string, BodySizes>();
    const result = { requests: 0, errors: 0, notModified: 0, bytes: 0, polls: 0 };
    const sightings: Sightings = {};
    let firstError: string | undefined;
    let measuredFrom = Infinity;
    let endsAt = Infinity;

    const pollers = tokens.map((token, index) => ({
      index,
      token,
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
      since: "",
      inFlight: Promise.resolve(),
    }));
    type Poller = (typeof pollers)[number];

    const fail = (reason: string) => {
      result.errors++;
      firstError ??= reason;
    };
    const ask = async (poller: Poller, path: string): Promise<Answer | undefined> => {
      result.requests++;
      try {
        const headers = { token: poller.token, "accept-encoding": encodings(poller.index) };
        const answer = await get(input.origin + path, poller.agent, headers);
        if (answer.status === 200 || answer.status === 304) return answer;
        fail(`${path.split("?")[0]} answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`);
      } catch (error) {
        fail(`${path.split("?")[0]}: ${(error as Error).message}`);
      }
      return undefined;
    };
    const pathOf = ({ index, since }: Poller): string => {
      const path = input.paths?.[index] ?? input.dashboardPath;
      return since === "" ? path : `${path}?since=${since}`;
    };
    const noteSize = (answer: Answer, reading: Reading) => {
      const size = sizes.get(answer.encoding) ?? {
        encoding: answer.encoding,
        full: { count: 0, bytes: 0 },
        delta: { count: 0, bytes: 0, nodes: 0 },
      };
      sizes.set(answer.encoding, size);
      const part = reading.isFull ? size.full : size.delta;
      part.count++;
      part.bytes += answer.body.length;
      if (!reading.isFull) size.delta.nodes += reading.nodes;
    };
    const askDashboard = async (poller: Poller, dueAt: number) => {
      const answer = await ask(poller, pathOf(poller));
      if (!answer) return;
      if (dueAt >= measuredFrom) {
        pollLatencies.add(performance.now() - dueAt);
        result.polls++;
        result.bytes += answer.body.length;
      }
      if (answer.status === 304) result.notModified++;
      else if (hasRevisions) {
        const answeredAt = Date.now();
        const reading = await readOnce(readings, answer, input.probes ?? []);
        for (const key of reading.probes) sightings[key] = Math.min(sightings[key] ?? Infinity, answeredAt);
        poller.since = reading.revision;
        if (dueAt >= measuredFrom || reading.isFull) noteSize(answer, reading);
      }
    };
    const askUpdates = async (poller: Poller, dueAt: number) => {
      const answer = await ask(poller, input.updatesPath);
      if (answer && dueAt >= measuredFrom) updateLatencies.add(performance.now() - dueAt);
    };

    // The first answers are the whole map: they come in turn, as people do not open the page at the same instant.
    const startsAt = performance.now() + 200;
    await Promise.all(
      pollers.map(async (poller) => {
        await wait(Math.max(0, startsAt + (poller.index * pollEveryMs) / pollers.length - performance.now()));
        await askDashboard(poller, performance.now());
      }),
    );
    allHaveAnswers.resolve();
    const beganAt = performance.now();
    measuredFrom = beganAt + warmupSeconds * 1_000;
    endsAt = measuredFrom + seconds * 1_000;

    /**
     * A poller has one request at a time, like a browser's page. One that waited for the answer before counts from when it should have been sent;
     * one that this process itself sends late counts from then, as no server can help that.
     */
    const repeat = async (poller: Poller, everyMs: number, offsetMs: number, run: (poller: Poller, dueAt: number) => Promise<void>) => {
      for (let scheduledAt = beganAt + offsetMs; scheduledAt < endsAt; scheduledAt += everyMs) {
        const earlyMs = scheduledAt - performance.now();
        if (earlyMs > 0) await wait(earlyMs);
        const dueAt = earlyMs > 0 ? performance.now() : scheduledAt;
        if (earlyMs > 0) latenessOfOwn.add(dueAt - scheduledAt);
        await run(poller, dueAt);
      }
    };
    await Promise.all(
      pollers.flatMap((poller) => {
        const offset = poller.index / pollers.length;
        return [
          repeat(poller, pollEveryMs, offset * pollEveryMs, askDashboard),
          repeat(poller, updatesEveryMs, offset * updatesEveryMs, askUpdates),
        ];
      }),
    );
    if (input.probes) {
      const keys = await published.promise;
      const givesUpAt = performance.now() + longestLookMs;
      while (keys.some((key) => sightings[key] === undefined) && performance.now() < givesUpAt) {
        await wait(lookEveryMs);
        await askDashboard(pollers[0]!, -Infinity);
      }
    }
    for (const { agent } of pollers) agent.destroy();
    return {
      polls: pollLatencies.summary(),
      updates: updateLatencies.summary(),
      lateness: latenessOfOwn.summary(),
      requests: result.requests,
      errors: result.errors,
      firstError,
      notModified: result.notModified,
      sizes: [...sizes.values()],
      sightings,
      bytesPerPoll: result.bytes / Math.max(1, result.polls),
    };
  }

  return {
    poll,
    /** Resolves when each poller has its first answer, the whole map. */
    whenAllHaveAnswers: () => allHaveAnswers.promise,
    /** All that the probes published. */
    lookFor: async (keys: readonly string[]) => published.resolve(keys),
  };
}
export type PollLoad = ReturnType<typeof createPollLoad>;

function get(url: string, agent: Agent, headers: Record<string, string>): Promise<Answer> {
  return new Promise((done, fail) => {
    const call = request(url, { agent, headers, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () =>
        done({
          status: response.statusCode ?? 0,
          encoding: response.headers["content-encoding"] ?? "identity",
          etag: response.headers.etag ?? "",
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.on("timeout", () => call.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)));
    call.on("error", fail);
    call.end();
  });
}

function readOnce(readings: Map<string, Promise<Reading>>, answer: Answer, probes: readonly number[]): Promise<Reading> {
  // Of one tick and encoding, those of equal length are the same bytes.
  const key = [...answer.etag.split("-", 2), answer.encoding, answer.body.length].join(" ");
  let reading = readings.get(key);
  if (!reading) {
    if (readings.size >= maxReadings) readings.clear();
    reading = readAnswer(answer, probes);
    readings.set(key, reading);
  }
  return reading;
}

/** By its lines, of which each node has one: to parse them all would keep the answers of others waiting, and be counted as theirs. */
async function readAnswer({ encoding, body }: Answer, probes: readonly number[]): Promise<Reading> {
  const lines = (await unpack(encoding, body)).toString().split("\n");
  const { revision, isFull } = JSON.parse(`{${lines.at(-1)!.slice("},".length, -1)}`) as Facts;
  const seen = probes.flatMap((serial) => {
    const line = lines.find((candidate) => candidate.startsWith(`"${serial}":`));
    const node = line === undefined ? {} : (JSON.parse(line.slice(line.indexOf(":") + 1).replace(/,$/, "")) as ChangedNode);
    const atMs = node.lastScalarData?.split(",", 3)[2];
    return atMs ? [keyOf(String(serial), atMs)] : [];
  });
  return { revision, isFull, nodes: lines.length - 2, probes: seen };
}

function unpack(encoding: string, body: Buffer): Promise<Buffer> {
  if (encoding === "zstd") return promisify(zstdDecompress)(body);
  if (encoding === "gzip") return promisify(gunzip)(body);
  return Promise.resolve(body);
}
