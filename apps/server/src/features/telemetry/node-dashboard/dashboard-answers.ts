import { setImmediate as othersTurn } from "node:timers/promises";
import type { PreparedAnswer } from "#http/endpoints.ts";
import { compress, type Encoding } from "#http/compression.ts";
import { TextBytes, TextMemory } from "#lib/text-bytes.ts";
import type { FleetCache, FleetSnapshot } from "./fleet-cache.ts";

/** Of eight minutes: who was away longer is a case for itself. */
const keptRevisions = 1_000;
/** Whoever needs less than a prepared body holds gets it all the same, unless it is so many times what they need. */
const mostSurplus = 1.25;
const smallBody = 4_096;
/** Of characters: what takes long enough to make that those who ask meanwhile get what was made for the tick before. */
const slowBody = 65_536;
/** For so many ticks a slow whole map is good enough: its revision says what its reader knows, and the next poll brings the rest. */
const wholeTicks = 8;
/** Who asked so many ticks earlier asks soon: where it holds little more, they get the same bytes. */
const widenedTicks = 2;
/** Of bytes to the characters of the entries: names in other letters, and what is around each. */
const expectedGrowth = 1.1;
/** Less than half a millisecond of work: who needs little has a handful of turns to wait. */
const entriesAtOnce = 100;
/** Two whole maps, and two of what changed. */
const mostFreeMemory = 4;
/** Another process may have ticked a moment earlier; what is further ahead is another database's number. */
const maxAhead = 1_000_000;

export interface ServerFacts {
  /** Epoch seconds. */
  serverStartUpTime: number;
  requestsServed(): number;
}

/** What one or many callers are sent. */
interface Body extends Pick<FleetSnapshot, "revisionXid" | "generation"> {
  /** Undefined: the whole map. */
  since: number | undefined;
  /** Of the entries in it. */
  length: number;
  /** When it was made. */
  tick: number;
  json: Promise<TextBytes>;
  /** Who still reads `json`: those who can find the body count as one, and each compression. With none its memory serves the next. */
  readers: number;
  encoded: Map<Encoding, Promise<Uint8Array>>;
  /** Encodings that can be sent at once. */
  ready: Set<Encoding>;
}
type Bodies = Map<number | undefined, Body>;

/** Answers made once per tick and encoding for everyone who asks nearly the same; while one is made, those who ask get that of the tick before. */
export function createDashboardAnswers(cache: Pick<FleetCache, "snapshot" | "onTick">, facts: ServerFacts) {
  /** Of the last ticks, in their order. */
  const revisions: number[] = [];
  let tick = 0;
  let bodies: Bodies = new Map();
  /** Of the tick before. */
  let earlierBodies: Bodies = new Map();
  let course = "";
  const memory = new TextMemory(mostFreeMemory);
  cache.onTick(() => {
    const { revisionXid, horizonXid, isStale } = cache.snapshot;
    if (revisions.at(-1) !== revisionXid) revisions.push(revisionXid);
    if (revisions.length > keptRevisions) revisions.shift();
    tick++;
    const goesOn = course === `${horizonXid} ${isStale}`;
    course = `${horizonXid} ${isStale}`;
    const left = new Set([...earlierBodies.values(), ...bodies.values()]);
    earlierBodies = goesOn ? bodies : new Map();
    const whole = earlierBodies.get(undefined);
    bodies = new Map(whole && whole.length >= slowBody && tick - whole.tick < wholeTicks ? [[undefined, whole]] : []);
    for (const body of [...earlierBodies.values(), ...bodies.values()]) left.delete(body);
    for (const body of left) void leave(body);
  });

  async function leave(body: Body): Promise<void> {
    if (--body.readers > 0) return;
    const text = await body.json.catch(() => undefined);
    text?.giveBack();
  }

  /** Those who ask since revisions between two ticks, such as another process's, are answered like the earlier one. */
  function tickBefore(since: number): number {
    return revisions.findLast((revision) => revision <= since) ?? since;
  }

  function bodyFor(since: number | undefined): Body {
    const known = bodies.get(since);
    if (known) return known;
    const length = lengthSince(cache.snapshot, since);
    const body = sharedBody(bodies, since, length) ?? makeBody(since, length);
    bodies.set(since, body);
    return body;
  }

  /** A body that was made for an earlier revision holds what a later one needs, and perhaps a little more. */
  function sharedBody(among: Bodies, since: number | undefined, length: number): Body | undefined {
    if (since === undefined) return undefined;
    for (const body of among.values())
      if (body.since !== undefined && body.since <= since && body.length <= Math.max(length * mostSurplus, smallBody)) return body;
    return undefined;
  }

  function makeBody(since: number | undefined, length: number): Body {
    const { snapshot } = cache;
    const { revisionXid, generation } = snapshot;
    const range = since === undefined ? { since, length } : widened(since, length);
    const json = render(snapshot, range, facts, memory);
    return { ...range, revisionXid, generation, tick, json, readers: 1, encoded: new Map(), ready: new Set() };
  }

  function widened(since: number, length: number): Pick<Body, "since" | "length"> {
    const earlier = revisions[revisions.lastIndexOf(since) - widenedTicks] ?? since;
    const earlierLength = lengthSince(cache.snapshot, earlier);
    return earlierLength <= length * mostSurplus ? { since: earlier, length: earlierLength } : { since, length };
  }

  function prepare(body: Body, encoding: Encoding): Promise<Uint8Array> {
    let bytes = body.encoded.get(encoding);
    if (!bytes) {
      bytes = encode(body, encoding);
      body.encoded.set(encoding, bytes);
      bytes.catch(() => undefined);
    }
    return bytes;
  }

  async function encode(body: Body, encoding: Encoding): Promise<Uint8Array> {
    body.readers++;
    const bytes = await compress((await body.json).whole(), encoding);
    body.ready.add(encoding);
    // What is sent as it is may be read by sockets for long.
    if (encoding !== "identity") void leave(body);
    return bytes;
  }

  /** While `body` is being made: one of the tick before that is no older than what its reader knows. */
  function readyBody(body: Body, since: number | undefined, encoding: Encoding): Body {
    if (body.length < slowBody || body.ready.has(encoding)) return body;
    const earlier = earlierBodies.get(since) ?? sharedBody(earlierBodies, since, body.length);
    return earlier?.ready.has(encoding) && earlier.revisionXid >= (since ?? 0) ? earlier : body;
  }

  return {
    async answer(since: number | undefined, encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> {
      const { snapshot } = cache;
      const revision = since === undefined ? undefined : knownRevision(since, snapshot);
      const known = revision === undefined ? undefined : tickBefore(revision);
      const newest = bodyFor(known);
      void prepare(newest, encoding);
      const body = readyBody(newest, known, encoding);
      const etag = `"${body.revisionXid}-${body.generation}-${known ?? "full"}-${encoding}"`;
      const headers: Record<string, string> = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-cache",
        vary: "accept-encoding, origin",
        etag,
      };
      if (ifNoneMatch === etag) return { status: 304, headers, body: "" };
      const bytes = await prepare(body, encoding);
      if (encoding !== "identity") headers["content-encoding"] = encoding;
      return { status: 200, headers, body: bytes, goesInParts: known === undefined };
    },
  };
}
export type DashboardAnswers = ReturnType<typeof createDashboardAnswers>;

/** From which revision on changes are sent; undefined: the whole map is needed. */
function knownRevision(since: number, { horizonXid, revisionXid }: FleetSnapshot): number | undefined {
  if (since < horizonXid || since > revisionXid + maxAhead) return undefined;
  return Math.min(since, revisionXid);
}

/** Of the entries that changed, as they are sent. */
function lengthSince({ entries }: FleetSnapshot, since = -Infinity): number {
  let length = 0;
  for (const entry of entries.values()) {
    if (entry.directoryXid >= since) length += entry.directoryJson.length + entry.liveJson.length;
    else if (entry.liveXid >= since) length += entry.liveJson.length;
  }
  return length;
}

/**
 * The body's JSON, with a line for each node, which the console reads by itself; entries are joined as they are, so the work follows what changed.
 * Others get their turn between the parts of a large fleet: an entry that moves meanwhile is newer than the revision, and is sent again with the
 * next changes.
 */
async function render(
  snapshot: FleetSnapshot,
  { since, length }: Pick<Body, "since" | "length">,
  facts: ServerFacts,
  memory: TextMemory,
): Promise<TextBytes> {
  const { entries, removed: allRemoved, revisionXid, asOf, isStale } = snapshot;
  const removed = since === undefined ? [] : [...allRemoved].filter(([, xid]) => xid >= since).map(([serial]) => serial);
  const rest = JSON.stringify({
    serverStartUpTime: facts.serverStartUpTime,
    requestsServed: facts.requestsServed(),
    revision: String(revisionXid),
    isFull: since === undefined,
    removed,
    asOf,
    isStale,
  });
  const bytes = new TextBytes(Math.ceil(length * expectedGrowth) + rest.length + smallBody, memory);
  bytes.add('{"data":{"dashboardNodeMap":{');
  let separator = "\n";
  let added = 0;
  for (const { key, directoryJson, liveJson, directoryXid, liveXid } of entries.values()) {
    const isWhole = since === undefined || directoryXid >= since;
    if (!isWhole && liveXid < since) continue;
    bytes.add(separator);
    bytes.add(key);
    if (isWhole) {
      bytes.add(directoryJson);
      bytes.add(",");
    }
    bytes.add(liveJson);
    bytes.add("}");
    separator = ",\n";
    if (++added % entriesAtOnce === 0) await othersTurn();
  }
  bytes.add(`\n},${rest.slice(1)}}`);
  return bytes;
}
