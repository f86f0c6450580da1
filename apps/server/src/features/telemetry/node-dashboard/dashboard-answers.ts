import type { PreparedAnswer } from "#http/endpoints.ts";
import { compress } from "#http/compression.ts";
import type { Encoding } from "#http/compression.ts";
import type { FleetCache, FleetSnapshot } from "./fleet-cache.ts";

const maxPrepared = 128;
/** Another process may have ticked a moment earlier; what is further ahead is another database's number. */
const maxAhead = 1_000_000;

export interface ServerFacts {
  /** Epoch seconds. */
  serverStartUpTime: number;
  requestsServed(): number;
}

/** Answers made once per tick and encoding for everyone who asks the same. */
export function createDashboardAnswers(cache: FleetCache, facts: ServerFacts) {
  const prepared = new Map<string, Promise<Uint8Array>>();
  cache.onTick(() => prepared.clear());

  function prepare(since: number | undefined, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${since ?? "full"}`;
    let body = prepared.get(key);
    if (!body) {
      if (prepared.size >= maxPrepared) prepared.clear();
      body = compress(Buffer.from(render(cache.snapshot, since, facts)), encoding);
      prepared.set(key, body);
    }
    return body;
  }

  return {
    async answer(since: number | undefined, encoding: Encoding, ifNoneMatch: string | undefined): Promise<PreparedAnswer> {
      const { snapshot } = cache;
      const known = since === undefined ? undefined : knownRevision(since, snapshot);
      const etag = `"${snapshot.revisionXid}-${snapshot.generation}-${known ?? "full"}-${encoding}"`;
      const headers: Record<string, string> = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-cache",
        vary: "accept-encoding, origin",
        etag,
      };
      if (ifNoneMatch === etag) return { status: 304, headers, body: "" };
      const body = await prepare(known, encoding);
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

/** The body's JSON; entries are joined as they are, so the work follows what changed. */
function render(snapshot: FleetSnapshot, since: number | undefined, facts: ServerFacts): string {
  const parts: string[] = [];
  for (const entry of snapshot.entries.values()) {
    if (since === undefined || entry.directoryXid >= since) parts.push(`"${entry.serial}":{${entry.directoryJson},${entry.liveJson}}`);
    else if (entry.liveXid >= since) parts.push(`"${entry.serial}":{${entry.liveJson}}`);
  }
  const removed = since === undefined ? [] : [...snapshot.removed].filter(([, xid]) => xid >= since).map(([serial]) => serial);
  const rest = JSON.stringify({
    serverStartUpTime: facts.serverStartUpTime,
    requestsServed: facts.requestsServed(),
    revision: String(snapshot.revisionXid),
    isFull: since === undefined,
    removed,
    asOf: snapshot.asOf,
    isStale: snapshot.isStale,
  });
  return `{"data":{"dashboardNodeMap":{${parts.join(",")}},${rest.slice(1)}}`;
}
