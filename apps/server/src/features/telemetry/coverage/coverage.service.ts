import {
  nodeKeepsSeconds,
  type Coverage,
  type CoverageKind,
  type FileAsk,
  type NodeCoverage,
} from "@busbar/contract/telemetry/coverage.ts";
import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, invalid, notFound } from "#lib/errors.ts";
import { outagesBetween } from "#lib/platform-outages.ts";
import { quarterOf, quarterSeconds } from "#lib/quarters.ts";
import { say } from "#lib/sentence.ts";
import { zoneOrUtc } from "#lib/local-day.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import type { AskRow, CoverageNodeRow, CoverageReadModel, Intervals } from "./coverage.read-model.ts";
import { createFleetCoverage } from "./fleet-coverage.ts";
import { coverageDays, coverageSpans, dayBounds, expectedRuns, type Expectation, type ExpectedRun } from "./coverage.view.ts";
import { emptyBits, joinMonths, outageBits, windowOf } from "./quarter-window.ts";

export interface CoverageDependencies {
  pool: Pool;
  readModel: CoverageReadModel;
  clock: Clock;
  /** Days for which files are kept; what is known of them is kept as long. */
  keptDays: () => Promise<number>;
}

export interface Days {
  fromDay: string;
  days: number;
}

const daySeconds = 86_400;
/** Days of a place begin at most so long before and after those of UTC. */
const zoneQuarters = 14 * 4;
const namesPerRequest = 50;
const mostFilesPerAsk = 5_000;
const waitSeconds = 3_600;
/** A node that sends nothing more for so long has sent what it has; each file takes it a moment. */
const quietSeconds = 900;
const secondsPerFile = 2;

/** More may still come of it. */
const isOpen = ({ askedAt, sentAt, fileCount }: AskRow, now: number): boolean =>
  sentAt === null ? now - askedAt < waitSeconds : now - sentAt < quietSeconds + secondsPerFile * fileCount;

const longestOpenSeconds = waitSeconds + quietSeconds + secondsPerFile * mostFilesPerAsk;

const sends = ({ type }: CoverageNodeRow) => !isExternalNodeType(type) && !isRelayNodeType(type);

export type CoverageService = ReturnType<typeof createCoverage>;

export function createCoverage({ pool, readModel, clock, keptDays }: CoverageDependencies) {
  const fleet = createFleetCoverage(readModel);

  const expectationOf = async (kind: CoverageKind, from: number, to: number): Promise<Expectation> => {
    const now = Math.floor(clock.now() / 1000);
    return { kind, window: windowOf(from, to), keptFrom: quarterOf(now - (await keptDays()) * daySeconds), now };
  };
  const awayIn = async ({ window, now }: Expectation) => outageBits(window, outagesBetween(await readModel.presence(), now));
  const quartersOfDays = ({ fromDay, days }: Days) => {
    const first = quarterOf(Date.parse(`${fromDay}T00:00:00Z`) / 1000);
    return { from: first - zoneQuarters, to: first + days * 96 + zoneQuarters };
  };

  /** What is known of one node, over a time in quarters. */
  const ofNode = async (serial: number, kind: CoverageKind, from: number, to: number) => {
    const expectation = await expectationOf(kind, from, to);
    const { window } = expectation;
    const [nodes, stays, rows, earlier, away] = await Promise.all([
      readModel.nodes(serial),
      readModel.stays(serial),
      readModel.months(serial, kind, window.months),
      readModel.earlier(serial, kind, window.months[0]!),
      awayIn(expectation),
    ]);
    const [node] = nodes;
    if (!node) throw notFound(say`Node ${serial}`);
    const bits = joinMonths(window, rows);
    const runs = sends(node) ? expectedRuns(node, stays, bits, earlier.has(serial), expectation) : [];
    return {
      node,
      runs,
      /** Each run as far as it is within its bounds, from one quarter up to before another. */
      spans: (boundsOf: (run: ExpectedRun) => readonly [number, number]) => {
        const within = runs.map((run) => {
          const [begin, end] = boundsOf(run);
          return { ...run, from: Math.max(run.from, begin), to: Math.min(run.to, end) };
        });
        return coverageSpans(within, bits, away, expectation, node.dataInterval);
      },
      now: expectation.now,
    };
  };

  /** Intervals whose files may not be there, or failed: in order, each from one number up to before another. */
  const unprovenIntervals = async (serial: number, kind: "D" | "S", from: number, to: number): Promise<Intervals> => {
    const [begin, end] = [quarterOf(from), quarterOf(to - 1) + 1];
    const { node, spans } = await ofNode(serial, kind, begin, end);
    const step = node.dataInterval;
    const runs: [number, number][] = [];
    for (const { status, fromTimestamp, toTimestamp } of spans(() => [begin, end])) {
      if (status === "late" || status === "backfilled") continue;
      // One long interval may be in two spans.
      const first = Math.max(Math.floor(fromTimestamp / step), Math.ceil(from / step), runs.at(-1)?.[1] ?? 0);
      const last = Math.ceil(Math.min(toTimestamp, to) / step);
      if (first < last) runs.push([first, last]);
    }
    return { serial, kind, step, runs };
  };

  /** Without a list of them: there may be millions. */
  const countMissing = async (intervals: Intervals): Promise<number> => {
    const count = intervals.runs.reduce((sum, [first, end]) => sum + end - first, 0);
    return count === 0 ? 0 : count - (await readModel.countKnownFiles(intervals));
  };

  const presentAsk = async (serial: number, ask: AskRow, now: number): Promise<FileAsk> => {
    const missing = await countMissing(await unprovenIntervals(serial, ask.kind, ask.from, ask.to));
    const cameCount = Math.max(0, ask.fileCount - missing);
    const outcome = (): FileAsk["outcome"] => {
      if (missing === 0) return "whole";
      if (ask.sentAt === null) return isOpen(ask, now) ? "waiting" : "notConnected";
      if (isOpen(ask, now)) return "asked";
      return cameCount > 0 ? "some" : "none";
    };
    return {
      id: ask.id,
      kind: ask.kind,
      fromTimestamp: Math.floor(ask.from),
      toTimestamp: Math.floor(ask.to),
      askedBy: ask.askedBy,
      askedTimestamp: Math.floor(ask.askedAt),
      fileCount: ask.fileCount,
      cameCount,
      outcome: outcome(),
    };
  };

  return {
    async ofFleet(kind: CoverageKind, days: Days): Promise<Coverage> {
      const { from, to } = quartersOfDays(days);
      const expectation = await expectationOf(kind, from, to);
      const { window } = expectation;
      const [{ nodes, staysOf }, bitsOf, earlier, away, asks] = await Promise.all([
        fleet.directory(),
        fleet.bits(kind, window),
        readModel.earlier(null, kind, window.months[0]!),
        awayIn(expectation),
        readModel.asksSince(kind, expectation.now - longestOpenSeconds, from * quarterSeconds, to * quarterSeconds),
      ]);
      const openAsks = new Map(asks.filter((ask) => isOpen(ask, expectation.now)).map(({ serial, askedAt }) => [serial, askedAt]));
      const zones = new Map<string, readonly number[]>();
      const boundsOf = (timezone: string) => {
        let bounds = zones.get(timezone);
        if (!bounds) zones.set(timezone, (bounds = dayBounds(days.fromDay, days.days, timezone)));
        return bounds;
      };
      const places = new Map<number, { index: number; facilityId: number; facility: string; customer: string }>();
      const placeOf = ({ facilityId, facility, customer }: CoverageNodeRow) => {
        if (facilityId === null) return -1;
        let place = places.get(facilityId);
        if (!place) places.set(facilityId, (place = { index: places.size, facilityId, facility: facility!, customer: customer! }));
        return place.index;
      };
      const none = emptyBits(window);
      const shown: Coverage["nodes"] = [];
      for (const node of nodes) {
        const own = staysOf.get(node.serial);
        if (!own || !sends(node)) continue;
        const bits = bitsOf.get(node.serial) ?? none;
        const runs = expectedRuns(node, own, bits, earlier.has(node.serial), expectation);
        const { days: characters, missing } = coverageDays(runs, bits, away, boundsOf, expectation);
        if (!/[^.]/.test(characters)) continue;
        const askedAt = openAsks.get(node.serial);
        shown.push({
          serialNumber: String(node.serial),
          place: placeOf(node),
          location: node.location ?? "",
          days: characters,
          missing,
          ...(askedAt === undefined ? {} : { askedTimestamp: Math.floor(askedAt) }),
        });
      }
      return {
        fromDay: days.fromDay,
        toDay: new Date(Date.parse(`${days.fromDay}T00:00:00Z`) + (days.days - 1) * 86_400_000).toISOString().slice(0, 10),
        places: [...places.values()].map(({ facilityId, facility, customer }) => ({ facilityId, facility, customer })),
        nodes: shown,
      };
    },

    async ofNode(serial: number, kind: CoverageKind, days: Days): Promise<NodeCoverage> {
      const { from, to } = quartersOfDays(days);
      const { node, runs, spans, now } = await ofNode(serial, kind, from, to);
      // Days are those of each place that it was at.
      const found = spans(({ timezone }) => {
        const bounds = dayBounds(days.fromDay, days.days, timezone);
        return [bounds[0]!, bounds.at(-1)!];
      });
      const asks: FileAsk[] = [];
      for (const ask of await readModel.asks(serial)) asks.push(await presentAsk(serial, ask, now));
      const timezone = node.timezone === null ? (runs.at(-1)?.timezone ?? "UTC") : zoneOrUtc(node.timezone);
      return { serialNumber: String(serial), location: node.location ?? "", timezone, spans: found, asks };
    },

    /** @throws AppError 409 when nothing is missing that the node may still have, or when it is asked already */
    async ask(serial: number, kind: "D" | "S", time: { from: number; to: number }, username: string): Promise<FileAsk> {
      const now = Math.floor(clock.now() / 1000);
      if (time.to <= time.from) throw invalid("toTimestamp", say`is after fromTimestamp`);
      const from = Math.max(time.from, now - nodeKeepsSeconds);
      const to = Math.min(time.to, now);
      if (to <= from)
        throw conflict(say`Nodes keep their files for ${counted(nodeKeepsSeconds / daySeconds, "day")}: those of this time are gone`);
      const intervals = await unprovenIntervals(serial, kind, from, to);
      const missing = await countMissing(intervals);
      if (missing === 0) throw conflict(say`No file of node ${serial} is missing in this time`);
      const files = (count: number) => counted(count, kind === "D" ? "data file" : "one-second file");
      if (missing > mostFilesPerAsk)
        throw conflict(
          say`Node ${serial} lacks ${files(missing)} in this time, more than the ${mostFilesPerAsk.toLocaleString("en-US")} it can be asked for at once: please ask for a shorter time`,
        );
      const askedAlready = () => conflict(say`Node ${serial} is asked for files of this time already`);
      const earlier = await readModel.overlappingAsks(pool, serial, kind, from, to);
      for (const each of earlier) if (isOpen(each, now) && (await presentAsk(serial, each, now)).outcome !== "whole") throw askedAlready();
      const names = (await readModel.missingFiles(intervals)).map((timestamp) =>
        dataFileName({ serial, timestamp, kind, interval: intervals.step }),
      );
      // Callers that wait for the node hold a connection each: who holds the node needs no other one than its own.
      const ask = await inTransaction(pool, async (client) => {
        if (!(await readModel.holdNode(client, serial))) throw notFound(say`Node ${serial}`);
        const [newest] = await readModel.overlappingAsks(client, serial, kind, from, to);
        if (newest && newest.id > (earlier[0]?.id ?? 0)) throw askedAlready();
        const parts = Array.from({ length: Math.ceil(names.length / namesPerRequest) }, (_, index) =>
          names.slice(index * namesPerRequest, (index + 1) * namesPerRequest),
        );
        const row = { kind, from, to, askedBy: username, askedAt: now };
        const id = await readModel.insertAsk(client, { ...row, serial, parts });
        await recordActivity(client, {
          actorType: "User",
          actor: username,
          action: "REQUEST_FILES",
          object: nodeObject(serial),
          description: `${username} asked node ${serial} again for ${files(names.length)}`,
          after: { kind, fromTimestamp: from, toTimestamp: to, files: names.length },
        });
        return { ...row, id, fileCount: names.length, sentAt: null };
      });
      return presentAsk(serial, ask, now);
    },
  };
}
