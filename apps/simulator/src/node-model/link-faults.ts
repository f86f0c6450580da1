import { channels } from "./channels.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { between, noise, uniform } from "./random.ts";
import type { SimNode } from "./sim-node.ts";
import { createWindowIndex, type Span } from "./window-index.ts";

/** What goes wrong between the measurement and the broker at one second. */
export interface LinkState {
  isLinkUp: boolean;
  /** False while the node has no power: it measures nothing. */
  isPowered: boolean;
  isScalarDropped: boolean;
  /** Added to every timestamp. */
  clockOffsetMs: number;
  /** It connects with a secret that is not its own. */
  isSecretWrong: boolean;
  /** Scalars go out without the current and the voltage of a phase. */
  isScalarPartial: boolean;
  /** Neither powers nor meter values go out. */
  isMeterSilent: boolean;
  isSensorBroken: boolean;
  /** Files stay in the node. */
  areFilesHeld: boolean;
  /** Files of intervals that begin now are cut off. */
  areFilesSpoiled: boolean;
  /** It has the configuration of the workshop again. */
  isConfigReset: boolean;
}

const sound: Readonly<LinkState> = {
  isLinkUp: true,
  isPowered: true,
  isScalarDropped: false,
  clockOffsetMs: 0,
  isSecretWrong: false,
  isScalarPartial: false,
  isMeterSilent: false,
  isSensorBroken: false,
  areFilesHeld: false,
  areFilesSpoiled: false,
  isConfigReset: false,
};
/** Who changes a node's secret takes its connection down first, for as long as the node needs to see it. */
const shortestSecretChangeSeconds = 30;

export interface LinkModel {
  readonly isClockUnlocked: boolean;
  /** The state of one second. The answer is overwritten by the next call. */
  at(epochSeconds: number): LinkState;
  reset(): void;
}

interface LinkWindow extends Span {
  fault: Fault;
}

/** Faults that are one state of the node while they last. */
const flags = {
  partialScalars: "isScalarPartial",
  meterSilence: "isMeterSilent",
  sensorFault: "isSensorBroken",
  heldFiles: "areFilesHeld",
  spoiledFiles: "areFilesSpoiled",
  configReset: "isConfigReset",
} as const satisfies Partial<Record<FaultKind, keyof LinkState>>;

/** What befalls the link of a node, or the node itself between its measurement and the broker. */
export const linkFaultKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "linkOutage",
  "siteOutage",
  "reboot",
  "dropScalars",
  "clockOffset",
  "wrongSecret",
  ...(Object.keys(flags) as (keyof typeof flags)[]),
]);

const secondsPerMonth = 30 * 86_400;

/**
 * Link, power, drops and clock of one node: a pure function of seed, quirks, faults and time.
 * @param faultsOfDay link faults of the node and its facility that begin on a UTC day
 */
export function createLinkModel(
  seed: number,
  node: SimNode,
  faultScale: number,
  faultsOfDay: (day: number) => readonly Fault[],
  lastingFaults: (day: number) => readonly Fault[],
): LinkModel {
  const id = node.serial;
  const toWindows = (faults: readonly Fault[]): LinkWindow[] =>
    faults.map((fault) => ({ fault, start: fault.start, end: fault.start + fault.durationSeconds }));
  const windows = createWindowIndex<LinkWindow>(
    (day) => toWindows(faultsOfDay(day)),
    (day) => toWindows(lastingFaults(day)),
  );
  const isClockUnlocked = node.quirks.isClockUnlocked === true || (faultScale > 0 && uniform(seed, id, channels.clockLock, 0) < 0.01);
  const driftPerSecond = isClockUnlocked ? between(-20e-6, 20e-6, seed, id, channels.crystal, 0) : 0;
  const dropShare = node.quirks.dropScalars ?? 0.001 * Math.min(1, faultScale);
  const state: LinkState = { ...sound };

  return {
    isClockUnlocked,
    at(epochSeconds) {
      let share = dropShare;
      let offsetSeconds = node.quirks.clockOffsetSeconds ?? 0;
      Object.assign(state, sound);
      state.isLinkUp = !(node.quirks.flappingLink === true && isFlappedDown(seed, id, epochSeconds));
      state.isSensorBroken = node.quirks.isSensorBroken === true;
      for (const { fault, start, end } of windows.at(epochSeconds)) {
        if (epochSeconds < start || epochSeconds >= end) continue;
        if (fault.kind === "linkOutage" || fault.kind === "siteOutage") state.isLinkUp = false;
        else if (fault.kind === "reboot") {
          state.isLinkUp = false;
          state.isPowered = false;
        } else if (fault.kind === "dropScalars") share = Math.max(share, fault.params.share ?? 1);
        else if (fault.kind === "clockOffset") offsetSeconds += fault.params.offsetSeconds ?? 3600;
        else if (fault.kind === "wrongSecret") {
          state.isSecretWrong = true;
          if (epochSeconds < start + Math.max(shortestSecretChangeSeconds, node.scalarIntervalSeconds)) state.isLinkUp = false;
        } else if (fault.kind in flags) state[flags[fault.kind as keyof typeof flags]] = true;
      }
      state.isScalarDropped = share > 0 && uniform(seed, id, channels.drop, epochSeconds) < share;
      // An unlocked crystal drifts until the month's time check
      const drift = driftPerSecond * (epochSeconds % secondsPerMonth);
      const jitter = isClockUnlocked ? 0 : 0.0005 * noise(seed, id, channels.clockOffset, epochSeconds, 60);
      state.clockOffsetMs = Math.round((offsetSeconds + drift + jitter) * 1000);
      return state;
    },
    reset: () => windows.reset(),
  };
}

// Down for 15 to 45 s of every 90 s
function isFlappedDown(seed: number, id: number, epochSeconds: number): boolean {
  const cycle = Math.floor(epochSeconds / 90);
  return epochSeconds - cycle * 90 < between(15, 45, seed, id, channels.flapping, cycle);
}
