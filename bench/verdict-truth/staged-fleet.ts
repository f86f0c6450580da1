import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { Fault, FaultKind, FaultParams } from "@busbar/simulator/node-model/fault.ts";
import type { Quirks, SimNode } from "@busbar/simulator/node-model/sim-node.ts";

const minute = 60;
export const stagedMinutes = 118;
/** When the verdicts are compared with the truth, minutes after the fleet started. */
export const comparedMinutes = [50, 90, stagedMinutes];
export const scalarSeconds = 60;
/** Most faults begin somewhere in these minutes, and half of them end again. */
const firstBegin = 15;
const lastBegin = 20;
const endedAt = 96;
const toTheEnd = 2 * stagedMinutes * minute;

/** One of its kind: its faults begin so many minutes after the start. */
interface Stage {
  name: string;
  quirks?: Quirks;
  faults?: readonly { kind: FaultKind; params?: FaultParams; at?: number; minutes?: number; ofFacility?: true }[];
  /** It never ends: what follows it lasts longer than the run, or nodes try again in their own time. */
  stays?: true;
}

const lost = (at: number) => ({ kind: "linkOutage", at, minutes: 1.5 }) as const;

const stages: readonly Stage[] = [
  { name: "cable cut", faults: [{ kind: "linkOutage" }] },
  { name: "never connects", quirks: { neverConnects: true } },
  { name: "site without a link", faults: [{ kind: "siteOutage", ofFacility: true }] },
  { name: "wrong secret", faults: [{ kind: "wrongSecret", at: 44 }], stays: true },
  { name: "wrong secret, later", faults: [{ kind: "wrongSecret", at: stagedMinutes - 6 }], stays: true },
  { name: "link that drops", faults: [lost(22), lost(28), lost(34), lost(40)] },
  { name: "all scalars lost", faults: [{ kind: "dropScalars", params: { share: 1 } }] },
  { name: "all scalars lost, later", faults: [{ kind: "dropScalars", params: { share: 1 }, at: 70 }] },
  { name: "a phase missing", faults: [{ kind: "partialScalars" }] },
  { name: "no meter values", faults: [{ kind: "meterSilence" }] },
  { name: "sensor broken", faults: [{ kind: "sensorFault" }] },
  { name: "machine overloaded", faults: [{ kind: "overload", params: { load: 1.5 } }] },
  { name: "files held", faults: [{ kind: "heldFiles" }] },
  { name: "files cut off", faults: [{ kind: "spoiledFiles" }], stays: true },
  { name: "bad messages", quirks: { badPayloads: 0.2 } },
  { name: "clock a day behind", faults: [{ kind: "clockOffset", params: { offsetSeconds: -86_400 } }], stays: true },
  { name: "clock half a minute ahead", faults: [{ kind: "clockOffset", params: { offsetSeconds: 30 } }] },
  { name: "clock an hour ahead", faults: [{ kind: "clockOffset", params: { offsetSeconds: 3_600 } }], stays: true },
  { name: "configuration reset", faults: [{ kind: "configReset" }], stays: true },
];

export interface StagedFleet {
  nodes: SimNode[];
  script: Fault[];
  /** What was staged at a node; undefined for one to which nothing happens. */
  stageOf: ReadonlyMap<number, string>;
  /** To be given a value of their own before it is taken from them. */
  configured: number[];
}

/** Machines that run without a break: so many facilities for each stage, and nearly as many nodes again to which nothing happens. */
export function stageFleet(
  seed: number,
  start: number,
  { facilities, nodesPerFacility }: { facilities: number; nodesPerFacility: number },
): StagedFleet {
  const count = stages.length * facilities * nodesPerFacility;
  const motors = makeFleet({ seed, count: 2 * count, firstSerial: 20_000 }).filter(
    ({ equipmentType }) => equipmentType === "InductionMotor",
  );
  const nodes: SimNode[] = motors.slice(0, count).map((node, index) => ({
    ...node,
    facilityKey: `staged-${Math.floor(index / nodesPerFacility)}`,
    shift: "unbroken",
    loadProfile: "steady",
    scalarIntervalSeconds: scalarSeconds,
    quirks: {},
  }));
  const script: Fault[] = [];
  const stageOf = new Map<number, string>();
  const configured: number[] = [];
  for (const [index, stage] of stages.entries()) {
    for (let facility = 0; facility < facilities; facility++) {
      const first = (index * facilities + facility) * nodesPerFacility;
      const isWhole = stage.faults?.some(({ ofFacility }) => ofFacility) ?? false;
      // Half of a facility's nodes are left alone, unless all of it is struck.
      for (const [place, node] of nodes.slice(first, first + (isWhole ? nodesPerFacility : nodesPerFacility / 2)).entries()) {
        const { serial, facilityKey } = node;
        stageOf.set(serial, stage.name);
        node.quirks = stage.quirks ?? {};
        if (stage.faults?.some(({ kind }) => kind === "configReset")) configured.push(serial);
        for (const { kind, params = {}, at, minutes, ofFacility } of stage.faults ?? []) {
          if (ofFacility && place > 0) continue;
          // Apart, so that those of a facility are not lost together.
          const beginsAt = (at ?? firstBegin + ((facility * 7) % (lastBegin - firstBegin))) + (place % 2) * 3;
          const lasting = stage.stays || facility % 2 === 0 ? toTheEnd : (endedAt - beginsAt) * minute;
          script.push({
            kind,
            start: start + beginsAt * minute,
            durationSeconds: minutes === undefined ? lasting : minutes * minute,
            facilityKey: ofFacility ? facilityKey : undefined,
            serial: ofFacility ? undefined : serial,
            params,
            source: "script",
          });
        }
      }
    }
  }
  return { nodes, script, stageOf, configured };
}
