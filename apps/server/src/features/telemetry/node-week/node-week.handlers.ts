import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { notFound } from "#lib/errors.ts";
import { outagesBetween } from "#lib/platform-outages.ts";
import { say } from "#lib/sentence.ts";
import type { NodeWeekReadModel } from "./node-week.read-model.ts";
import { connectionLane, stepLane } from "./node-week.view.ts";

const weekSeconds = 7 * 86_400;
/** A shorter break of the stream is counted by the dashboard; for a strip of a week it is less than a pixel. */
const shortestScalarGap = 600;
const missedIntervals = 3;
/** Files come some minutes after the interval that they cover. */
const fileRoom = 1.5;

export function nodeWeekHandlers(readModel: NodeWeekReadModel, clock: Clock) {
  return {
    async getNodeWeek({ params }) {
      const serial = Number(params.serial);
      const to = Math.floor(clock.now() / 1000);
      const from = to - weekSeconds;
      const node = await readModel.find(serial, from);
      if (!node) throw notFound(say`Node ${params.serial}`);
      const measures = !isExternalNodeType(node.type) && !isRelayNodeType(node.type);
      const scalarGapSeconds = Math.max(shortestScalarGap, missedIntervals * node.scalarInterval);
      const fileGapSeconds = fileRoom * node.dataInterval;
      const week = { from, to };
      const files = async (kind: "D" | "S", hadEarlier: boolean) =>
        stepLane(await readModel.fileSteps(serial, kind, { ...week, gapSeconds: fileGapSeconds }), {
          ...week,
          hadEarlier,
          intervalSeconds: node.dataInterval,
          // The newest interval is not over yet, and its file is on its way.
          lateSeconds: (1 + fileRoom) * node.dataInterval,
        });
      const scalars = async () =>
        stepLane(await readModel.scalarSteps(serial, { ...week, gapSeconds: scalarGapSeconds }), {
          ...week,
          hadEarlier: node.hadScalars,
          intervalSeconds: undefined,
          lateSeconds: scalarGapSeconds,
        });
      const [changes, scalarLane, dataFiles, oneSecondFiles, presence] = await Promise.all([
        readModel.connectionChanges(serial, from),
        measures ? scalars() : null,
        measures ? files("D", node.hadDataFiles) : null,
        measures ? files("S", node.hadOneSecondFiles) : null,
        readModel.presence(),
      ]);
      return {
        fromTimestamp: from,
        toTimestamp: to,
        connected: connectionLane(changes, node, week),
        scalars: scalarLane,
        scalarGapSeconds,
        dataFiles,
        oneSecondFiles,
        platformAway: outagesBetween(presence, to)
          .filter(({ end }) => end > from)
          .map(({ start, end }) => ({ fromTimestamp: Math.floor(Math.max(start, from)), toTimestamp: Math.floor(Math.min(end, to)) })),
      };
    },
  } satisfies Partial<Handlers>;
}
