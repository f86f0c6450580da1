import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool, PoolClient } from "pg";

/** A transaction, or a statement of its own. */
interface Unit {
  names: Set<string>;
  /** The tables that it writes. */
  writes: Set<string>;
  isOpen: boolean;
}

export interface Watched {
  units: Unit[];
  /** Statements that hold what they find until their transaction ends. */
  locks: Set<string>;
}

/** Beside a call: when someone asked last is written a moment later, and what other processes changed is listened for. */
const beside = new Set(["touch-session", "touch-user-key", "session-changes", "listen"]);

/** How far a command has come hangs on when its node answers. */
const atItsOwnTime = "node_command";

/** Watches what some work asks of the database: whether it waits for it, what it writes together, and what it holds meanwhile. */
export function watchStatements(pool: Pool) {
  const works = new AsyncLocalStorage<Watched>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<PoolClient>;

  const begin = ({ units }: Watched): Unit => {
    const unit: Unit = { names: new Set(), writes: new Set(), isOpen: true };
    units.push(unit);
    return unit;
  };
  const note = ({ locks }: Watched, unit: Unit, statement: unknown) => {
    const { text, name } = readStatement(statement);
    if (name !== "") unit.names.add(name);
    for (const [, table] of text.matchAll(/(?:\binsert into|\bdelete from|\bcopy|(?<!\bfor |\bkey |\bdo )\bupdate)\s+"?(\w+)/gi))
      unit.writes.add(table!);
    if (/\bfor (?:no key )?(?:update|share)\b|\bpg_advisory|\block table\b/i.test(text)) locks.add(name);
  };

  pool.query = ((...args: unknown[]) => {
    const work = works.getStore();
    if (!work) return query(...args);
    const unit = begin(work);
    note(work, unit, args[0]);
    return query(...args).finally(() => (unit.isOpen = false));
  }) as typeof pool.query;

  pool.connect = ((...args: unknown[]) => {
    const work = works.getStore();
    if (!work || args.length > 0) return connect(...args);
    const unit = begin(work);
    return connect().then(
      (client) => {
        const { query: send, release } = client as { query: (...args: unknown[]) => unknown; release: PoolClient["release"] };
        Object.assign(client, {
          query: (...asked: unknown[]) => (note(work, unit, asked[0]), send.apply(client, asked)),
          release(error?: Error | boolean) {
            unit.isOpen = false;
            Object.assign(client, { query: send, release });
            release.call(client, error);
          },
        });
        return client;
      },
      (error: unknown) => {
        unit.isOpen = false;
        throw error;
      },
    );
  }) as typeof pool.connect;

  return async <Result>(work: () => Promise<Result>): Promise<{ result: Result; lines: string[]; late: string[] }> => {
    const watched: Watched = { units: [], locks: new Set() };
    const result = await works.run(watched, work);
    const units = watched.units.filter(({ names }) => names.isDisjointFrom(beside));
    const late = units.filter(({ isOpen }) => isOpen).map(({ names }) => [...names].join(", "));
    const written = [
      ...new Set(units.map(({ writes }) => [...writes].toSorted().join(", ")).filter((tables) => tables !== "" && tables !== atItsOwnTime)),
    ].toSorted();
    return {
      result,
      late,
      lines: [
        ...(written.length > 1 ? written.map((tables) => `written apart: ${tables}`) : []),
        ...(watched.locks.size > 0 ? [`held: ${[...watched.locks].toSorted().join(", ")}`] : []),
      ],
    };
  };
}

function readStatement(statement: unknown): { text: string; name: string } {
  if (typeof statement === "string") return { text: statement, name: /^\/\* ([\w-]+) \*\//.exec(statement)?.[1] ?? "" };
  const { text = "", name = "" } = statement as { text?: string; name?: string };
  return { text, name };
}
