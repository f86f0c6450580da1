import type { CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import type { CoverageNodeRow, CoverageReadModel, StayRow } from "./coverage.read-model.ts";
import { emptyBits, putMonth, type NodeBits, type QuarterWindow } from "./quarter-window.ts";

interface Directory {
  version: string;
  nodes: readonly CoverageNodeRow[];
  staysOf: ReadonlyMap<number, readonly StayRow[]>;
}

interface KeptBits {
  bySerial: Map<number, NodeBits>;
  mark: string | null;
  timeline: string | null;
  /** The last reading: a later one begins after it, so that no older row takes the place of a newer one. */
  reading: Promise<void>;
}

/** Two times for each kind: some ten megabytes each for ten thousand nodes. */
const mostKept = 6;

/** What answers about all nodes are made of, kept between them. Each caller sees what was committed before it asked; only what changed is read. */
export function createFleetCoverage(readModel: CoverageReadModel) {
  /** The newest of which it is known that it has changed; who comes while it is read waits for the same. */
  let directory: { version: string; reading: Promise<Directory> } | undefined;
  const kept = new Map<string, KeptBits>();
  /** Of what is not kept yet, which takes a second: one at a time, so that other calls find connections. */
  let firstReading: Promise<void> = Promise.resolve();

  async function readNew(held: KeptBits, kind: CoverageKind, window: QuarterWindow): Promise<void> {
    const { rows, mark, timeline } = await readModel.fleetMonths(kind, window.months, held.mark);
    if (held.mark !== null && timeline !== held.timeline) {
      // Numbers of another timeline say nothing (decision 0002).
      held.bySerial.clear();
      held.mark = null;
      return readNew(held, kind, window);
    }
    for (const row of rows) {
      let bits = held.bySerial.get(row.serial);
      if (!bits) held.bySerial.set(row.serial, (bits = emptyBits(window)));
      putMonth(window, bits, row);
    }
    held.mark = mark;
    held.timeline = timeline;
  }

  async function readDirectory(version: string): Promise<Directory> {
    const [nodes, stays] = await Promise.all([readModel.nodes(null), readModel.stays(null)]);
    return { version, nodes, staysOf: Map.groupBy(stays, ({ serial }) => serial) };
  }

  return {
    async directory(): Promise<Directory> {
      const version = await readModel.directoryVersion();
      if (directory?.version !== version) {
        const reading = readDirectory(version);
        directory = { version, reading };
        reading.catch(() => {
          if (directory?.reading === reading) directory = undefined;
        });
      }
      return directory.reading;
    },

    async bits(kind: CoverageKind, window: QuarterWindow): Promise<ReadonlyMap<number, NodeBits>> {
      const key = [kind, ...window.months].join(" ");
      const held = kept.get(key) ?? { bySerial: new Map<number, NodeBits>(), mark: null, timeline: null, reading: Promise.resolve() };
      kept.delete(key);
      kept.set(key, held);
      for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
      const read = () => {
        const readOwn = () => readNew(held, kind, window);
        return held.mark === null ? (firstReading = firstReading.then(readOwn, readOwn)) : readOwn();
      };
      await (held.reading = held.reading.then(read, read));
      return held.bySerial;
    },
  };
}
