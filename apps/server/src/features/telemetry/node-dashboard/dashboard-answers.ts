import { setImmediate as othersTurn } from "node:timers/promises";
import type { PreparedAnswer } from "#http/endpoints.ts";
import { compress } from "#http/compression.ts";
import type { Encoding } from "#http/compression.ts";
import type { FleetCache, FleetSnapshot } from "./fleet-cache.ts";

/** Of eight minutes: who was away longer is a case for itself. */
const keptRevisions = 1_000;
/** Whoever needs less than a prepared body holds gets it all the same, unless it is so many times what they need. */
const mostSurplus = 1.25;
const smallBody = 4_096;
/** About two milliseconds of work. */
const entriesAtOnce = 500;
/** Another process may have ticked a moment earlier; what is further ahead is another database's number. */
const maxAhead = 1_000_000;

export interface ServerFacts {
  /** Epoch seconds. */
  serverStartUpTime: number;
  requestsServed(): number;
}

/** What one or many callers are sent in this tick. */
interface Body {
  /** Undefined: the whole map. */
  since: number | undefined;
  /** Of the entries in it. */
  length: number;
  json: Promise<Buffer>;
  encoded: Map<Encoding, Promise<Uint8Array>>;
}

/** Answers made once per tick and encoding for everyone who asks nearly the same. */
export function createDashboardAnswers(cache: Pick<FleetCache, "snapshot" | "onTick">, facts: ServerFacts) {
  /** Of the last ticks, in their order. */
  const revisions: number[] = [];
  const bodies = new Map<number | undefined, Body>();
  let lastTurn = Promise.resolve();
  const ownTurn = () => (lastTurn = lastTurn.then(() => othersTurn()));
  cache.onTick(() => {
    const { revisionXid } = cache.snapshot;
    if (revisions.at(-1) !== revisionXid) revisions.push(revisionXid);
    if (revisions.length > keptRevisions) revisions.shift();
    bodies.clear();
  });

  /** Those who ask since revisions between two ticks, such as another process's, are answered like the earlier one. */
  function tickBefore(since: number): number {
    return revisions.findLast((revision) => revision <= since) ?? since;
  }

  function bodyFor(since: number | undefined): Body {
    const known = bodies.get(since);
    if (known) return known;
    const length = since === undefined ? Infinity : lengthSince(cache.snapshot, since);
    const body = sharedBody(since, length) ?? {
      since,
      length,
      json: render(cache.snapshot, since, facts),
      encoded: new Map<Encoding, Promise<Uint8Array>>(),
    };
    bodies.set(since, body);
    return body;
  }

  /** A body that was made for an earlier revision holds what a later one needs, and perhaps a little more. */
  function sharedBody(since: number | undefined, length: number): Body | undefined {
    if (since === undefined) return undefined;
    for (const body of bodies.values())
      if (body.since !== undefined && body.since <= since && body.length <= Math.max(length * mostSurplus, smallBody)) return body;
    return undefined;
  }

  function prepare({ json, encoded }: Body, encoding: Encoding): Promise<Uint8Array> {
    let bytes = encoded.get(encoding);
    if (!bytes) {
      bytes = json.then((whole) => compress(whole, encoding));
      encoded.set(encoding, bytes);
    }
    return bytes;
  }

  return {
    async answer(since: number | undefined, encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> {
      const { snapshot } = cache;
      const revision = since === undefined ? undefined : knownRevision(since, snapshot);
      const known = revision === undefined ? undefined : tickBefore(revision);
      const etag = `"${snapshot.revisionXid}-${snapshot.generation}-${known ?? "full"}-${encoding}"`;
      const headers: Record<string, string> = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-cache",
        vary: "accept-encoding, origin",
        etag,
      };
      if (ifNoneMatch === etag) return { status: 304, headers, body: "" };
      const body = await prepare(bodyFor(known), encoding);
      // A megabyte takes the kernel a millisecond: of many whole maps one is sent at a time, and those who need little go between them.
      if (known === undefined) await ownTurn();
      if (encoding !== "identity") headers["content-encoding"] = encoding;
      return { status: 200, headers, body };
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
function lengthSince({ entries }: FleetSnapshot, since: number): number {
  let length = 0;
  for (const entry of entries.values()) {
    if (entry.directoryXid >= since) length += entry.directoryJson.length + entry.liveJson.length;
    else if (entry.liveXid >= since) length += entry.liveJson.length;
  }
  return length;
}

/**
 * The body's JSON; entries are joined as they are, so the work follows what changed. Others get their turn between the parts of a large fleet: an
 * entry that moves meanwhile is newer than the revision, and is sent again with the next changes.
 */
async function render(snapshot: FleetSnapshot, since: number | undefined, facts: ServerFacts): Promise<Buffer> {
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
  const pieces = [Buffer.from('{"data":{"dashboardNodeMap":{')];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length > 0) pieces.push(Buffer.from(`${pieces.length > 1 ? "," : ""}${texts.join(",")}`));
    texts = [];
  };
  for (const entry of entries.values()) {
    if (since === undefined || entry.directoryXid >= since) texts.push(`"${entry.serial}":{${entry.directoryJson},${entry.liveJson}}`);
    else if (entry.liveXid >= since) texts.push(`"${entry.serial}":{${entry.liveJson}}`);
    if (texts.length < entriesAtOnce) continue;
    flush();
    await othersTurn();
  }
  flush();
  pieces.push(Buffer.from(`},${rest.slice(1)}}`));
  return Buffer.concat(pieces);
}
