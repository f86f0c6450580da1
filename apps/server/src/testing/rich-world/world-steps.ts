import type { Pool } from "pg";
import { setTimeout as pause } from "node:timers/promises";
import { api, type EndpointName } from "@busbar/contract/api.ts";
import type { CallInput, CallOutput, Endpoint } from "@busbar/contract/endpoint.ts";
import { inTransaction } from "#db/transaction.ts";
import { createNodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import { endpointUrl } from "#http/endpoints.ts";
import { readConfig } from "#src/config.ts";
import { createServiceTasks } from "#src/service-tasks.ts";
import { fixDatabaseTime } from "#testing/fixed-database-time.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import { createKeptText } from "./kept-text.ts";
import { watchStatements } from "./statement-watch.ts";
import { worldStart } from "./world-times.ts";
import { createTableReader, rowChanges, type RowChange } from "./table-rows.ts";

type Asked = Pick<Awaited<ReturnType<ReturnType<typeof watchStatements>>>, "lines" | "late">;
type Body = { bytes: Buffer; type: string };
export type StepInput<Name extends EndpointName> = Partial<CallInput<(typeof api)[Name]>> & { bytes?: Body };

/** A server at a fixed time, whose every step is kept: what it answered, and which rows it wrote. */
export async function createWorldSteps(env: Record<string, string>) {
  const clock = createManualClock(worldStart * 1000);
  const server = await createTestApp(env, { clock });
  const { pool } = server.database;
  const setDatabaseTime = await fixDatabaseTime(pool, clock.now());
  // What the migrations wrote at the time of this run.
  await pool.query(
    `delete from directory_change;
     update trend_state set closed_hour = h - 1, queued_hour = h - 1, queued_day = h / 24 - 1, queued_month = (2026 - 1970) * 12 + 1
     from (select ${Math.floor(worldStart / 3_600)} as h) present`,
  );
  const readTables = await createTableReader(pool);
  const kept = createKeptText();
  const watch = watchStatements(pool);
  const early: string[] = [];
  const steps = new Map<string, string[]>();
  const tokens = new Map<string, string>();
  const answers = createNodeAnswersStore();
  const tasks = createServiceTasks({
    pool,
    config: readConfig({ DATA_DIR: server.dataDir, ...env }),
    log: server.context.log,
    clock,
    context: server.context,
  });

  /** Waits until a condition in SQL is met. */
  async function until(condition: string): Promise<void> {
    while (!(await pool.query<{ is: boolean }>(`select ${condition} as is`)).rows[0]!.is) await pause(5);
  }

  async function advance(seconds: number): Promise<void> {
    clock.advance(seconds);
    await setDatabaseTime(clock.now());
  }

  const partLines = (parts: object) => Object.entries(parts).flatMap(([part, value]) => kept.lines(part, value));
  const keep = (name: string, head: string, parts: object, changes: readonly RowChange[], { lines, late }: Asked) => {
    const step = [kept.plain(decodeURIComponent(head)), ...partLines(parts), ...kept.rowLines(changes), ...lines, ""];
    steps.set(name, [...(steps.get(name) ?? []), ...step]);
    early.push(...late.map((statements) => `${head}: ${statements}`));
  };

  /** Answers every command that waits for a node, as it confirms it, until the work is done. */
  async function answering<Result>(work: Promise<Result>, nodeAnswers: NodeAnswers): Promise<Result> {
    const end = new AbortController();
    const answerAll = async () => {
      while (!end.signal.aborted) {
        await inTransaction(pool, async (client) => {
          const { rows } = await client.query<{ id: string; serial: number; metrics: { name: string; value: string }[] }>(
            "update node_command set state = 'sent', sent_at = now() where state = 'pending' returning id, serial_number as serial, metrics",
          );
          for (const { id, serial, metrics } of rows) await answers.write(client, [nodeAnswers(id, serial, metrics[0]!)]);
        });
        await pause(5);
      }
    };
    const answerer = answerAll();
    try {
      return await work;
    } finally {
      end.abort();
      await answerer;
    }
  }

  /** Makes a call and keeps it; a success unless another status is expected. */
  async function did<Name extends EndpointName>(
    name: Name,
    input: StepInput<Name> = {},
    { as = "chief", status: expected = 200, nodes, ends, headers = {}, isKept = true }: StepOptions = {},
  ): Promise<CallOutput<(typeof api)[Name]>> {
    await advance(1);
    const { body, bytes } = input as { body?: object; bytes?: Body };
    const { method, url } = addressOf(name, input);
    const before = isKept ? await readTables() : new Map();
    const asking = watch(() =>
      server.call({
        method,
        url,
        ...(as === "" ? {} : { token: tokens.get(as) ?? as }),
        headers: { ...headers, ...(bytes ? { "content-type": bytes.type } : {}) },
        ...(bytes ? { payload: bytes.bytes } : body === undefined ? {} : { payload: body }),
      }),
    );
    const settled = async () => {
      const asked = await asking;
      if (ends === undefined) return asked;
      await until(ends);
      return { ...asked, late: [] };
    };
    const { result: answer, ...asked } = await (nodes ? answering(settled(), nodes) : settled());
    if (answer.status !== expected) throw new Error(`${name} ${url} answered ${answer.status}: ${answer.text}`);
    if (isKept)
      keep(
        name,
        `${as || "no one"}: ${method} ${url.replaceAll(/2fa\/\w+/g, "2fa/…")}`,
        { status: answer.status, ...partsOf(answer) },
        rowChanges(before, await readTables()),
        asked,
      );
    return (answer.json["data"] ?? answer.text) as CallOutput<(typeof api)[Name]>;
  }

  /** Asks for what a step needs. */
  async function ask<Name extends EndpointName>(
    name: Name,
    input: StepInput<Name> = {},
    as = "chief",
  ): Promise<CallOutput<(typeof api)[Name]>> {
    const { json } = await server.call({ ...addressOf(name, input), token: tokens.get(as)! });
    return json["data"] as CallOutput<(typeof api)[Name]>;
  }

  /** What a call that only reads answers, as it is kept. */
  async function read(
    name: EndpointName,
    { params = {}, query = "", as = "chief", key, nodes }: WorldRead,
    of: Pick<TestApp, "call"> = server,
  ): Promise<string[]> {
    const { method, url } = addressOf(name, { params, query });
    const asked = of.call({
      method,
      url,
      ...(key === undefined ? { token: tokens.get(as)! } : { headers: { "x-api-key": tokens.get(`key of ${key}`)! } }),
    });
    const answer = await (nodes ? answering(asked, nodes) : asked);
    return [
      `${key === undefined ? as : `key of ${key}`}: ${method} ${kept.plain(decodeURIComponent(url))}`,
      ...partLines({ status: answer.status, ...partsOf(answer) }),
      "",
    ];
  }

  async function passcode(username = "chief"): Promise<string> {
    const code = await server.passcode(username);
    await setDatabaseTime(clock.now());
    return code;
  }

  /** Signs in an administrator who is there. */
  async function signIn(username: string): Promise<void> {
    const { token } = await did("createAdministratorSession", { body: { username, password: testPassword } }, { as: "" });
    tokens.set(username, token);
  }

  /** Runs a service once and keeps what it said and wrote. */
  async function ran(name: string, nodes?: NodeAnswers): Promise<void> {
    await advance(1);
    const task = tasks.find((each) => each.name === name)!;
    const before = await readTables();
    const run = watch(() => task.run(new AbortController().signal));
    const { result, ...asked } = await (nodes ? answering(run, nodes) : run);
    keep(name, "run", { result }, rowChanges(before, await readTables()), asked);
  }

  /** Reads with a server that has just started on the same database and files. */
  async function withAnother(work: (another: TestApp) => Promise<void>): Promise<void> {
    const another = await createTestApp({ ...env, DATA_DIR: server.dataDir }, { clock, database: server.database });
    try {
      await work(another);
    } finally {
      await another.stop();
    }
  }

  return {
    server,
    ask,
    read,
    withAnother,
    /** Reads that answered otherwise where the rows of every table lay the other way round. */
    unsteady: [] as string[],
    /** Calls and services that ended before what they asked of the database. */
    early,
    pool,
    clock,
    tokens,
    steps,
    tasks,
    advance,
    until,
    did,
    answering,
    now: () => Math.floor(clock.now() / 1000),
    passcode,
    signIn,
    ran,
    stop: () => server.stop(),
  };
}
export type WorldSteps = Awaited<ReturnType<typeof createWorldSteps>>;

export interface WorldRead {
  params?: Record<string, string | number>;
  query?: string;
  as?: string;
  /** Whose program asks, with a key in place of a person's token. */
  key?: string;
  nodes?: NodeAnswers;
}

function addressOf(name: EndpointName, input: object) {
  const { params = {}, query = "" } = input as { params?: Readonly<Record<string, unknown>>; query?: string | Record<string, string> };
  const { method, path, versions }: Endpoint = api[name];
  const filled = endpointUrl(versions[0], path).replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(String(params[param])));
  const search = new URLSearchParams(query).toString();
  return { method, url: search === "" ? filled : `${filled}?${search}` };
}

/** The id that a statement finds. */
export const lastOf = async (pool: Pool, text: string): Promise<unknown> => (await pool.query<{ id: unknown }>(text)).rows[0]?.id;

/** Confirms whatever is asked of a node. */
export const confirming: NodeAnswers = (requestId, serial, { name, value }) => ({
  serial,
  atMs: worldStart * 1000,
  values: new Map(name.startsWith("Config/") ? [[name.slice("Config/".length), String(value)]] : []),
  types: new Map(),
  answers: [{ requestId, metric: name, result: "OK", value: String(value) }],
});

export interface StepOptions {
  /** Whose token is sent; none where it is empty. */
  as?: string;
  status?: number;
  headers?: Record<string, string>;
  /** False for one more of many like it. */
  isKept?: boolean;
  /** What nodes answer to commands meanwhile. */
  nodes?: NodeAnswers;
  /** A condition in SQL: what goes on after the answer has come to its end. */
  ends?: string;
}

export type NodeAnswers = (
  requestId: string,
  serial: number,
  metric: { name: string; value: unknown },
) => Parameters<ReturnType<typeof createNodeAnswersStore>["write"]>[1][number];

/** The answer, or of a file what it is and, where that is a text, what is in it. */
const partsOf = ({ json, headers, text }: Awaited<ReturnType<TestApp["call"]>>): object =>
  Object.keys(json).length > 0
    ? json
    : {
        type: headers["content-type"],
        name: headers["content-disposition"],
        ...(/^text|ndjson/.test(String(headers["content-type"])) ? { text } : {}),
      };
