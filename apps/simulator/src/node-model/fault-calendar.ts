import { badJointsAround, facilityFaultsOfDay, nodeFaultsOfDay, type MixFacility, type MixOptions } from "./default-mix.ts";
import type { Fault } from "./fault.ts";
import { idOfText } from "./random.ts";
import type { SimNode } from "./sim-node.ts";

/** Which faults begin when: the default mix, the script and what is injected while running. */
export interface FaultCalendar {
  /** Mixed faults of a whole facility that begin on a UTC day. */
  facilityFaults(facilityKey: string, day: number): readonly Fault[];
  nodeFaults(serial: number, day: number): readonly Fault[];
  /** Faults that may last longer than a day: the scripted ones and, for a node, its bad joints around that day. */
  lastingFacilityFaults(facilityKey: string): readonly Fault[];
  lastingNodeFaults(serial: number, day: number): readonly Fault[];
  /** In order of time. */
  faultsStartingIn(fromEpochSeconds: number, toEpochSeconds: number): Fault[];
  inject(fault: Fault): void;
}

const secondsPerDay = 86_400;
const noFaults: readonly Fault[] = [];

export function createFaultCalendar(mix: MixOptions, nodes: readonly SimNode[], script: readonly Fault[]): FaultCalendar {
  const facilities = groupByFacility(nodes);
  const nodeOfSerial = new Map(nodes.map((node) => [node.serial, node]));
  const scripted: Fault[] = [];
  const scriptedByFacility = new Map<string, Fault[]>();
  const scriptedBySerial = new Map<number, Fault[]>();
  // Neighbours ask for the same facility's days, one after the other
  const rememberedDays = new Map<string, readonly Fault[]>();
  let listedDay = Number.NaN;
  let listedFaults: readonly Fault[] = noFaults;

  const facilityMix = (facility: MixFacility, day: number): readonly Fault[] => {
    const key = `${day} ${facility.key}`;
    let faults = rememberedDays.get(key);
    if (!faults) {
      faults = facilityFaultsOfDay(mix, facility, day);
      if (rememberedDays.size >= 3 * facilities.size + 16) rememberedDays.clear();
      rememberedDays.set(key, faults);
    }
    return faults;
  };

  const mixOfDay = (day: number): readonly Fault[] => {
    if (day === listedDay) return listedFaults;
    const ofFacilities = [...facilities.values()].flatMap((facility) => facilityMix(facility, day));
    const ofNodes = nodes.flatMap((node) => [
      ...nodeFaultsOfDay(mix, node, day),
      ...badJointsAround(mix, node.serial, day).filter((fault) => Math.floor(fault.start / secondsPerDay) === day),
    ]);
    listedFaults = [...ofFacilities, ...ofNodes];
    listedDay = day;
    return listedFaults;
  };

  const inject = (fault: Fault) => {
    scripted.push(fault);
    if (fault.serial !== undefined) append(scriptedBySerial, fault.serial, fault);
    else if (fault.facilityKey !== undefined) append(scriptedByFacility, fault.facilityKey, fault);
  };
  for (const fault of script) inject(fault);

  return {
    facilityFaults(facilityKey, day) {
      const facility = facilities.get(facilityKey);
      return facility ? facilityMix(facility, day).filter((fault) => fault.facilityKey === facilityKey) : noFaults;
    },
    nodeFaults(serial, day) {
      const node = nodeOfSerial.get(serial);
      if (!node) return noFaults;
      const facility = facilities.get(node.facilityKey)!;
      return [...facilityMix(facility, day).filter((fault) => fault.serial === serial), ...nodeFaultsOfDay(mix, node, day)];
    },
    lastingFacilityFaults: (facilityKey) => scriptedByFacility.get(facilityKey) ?? noFaults,
    lastingNodeFaults: (serial, day) => [...(scriptedBySerial.get(serial) ?? noFaults), ...badJointsAround(mix, serial, day)],
    faultsStartingIn(from, to) {
      const isInside = (fault: Fault) => fault.start >= from && fault.start < to;
      const found = scripted.filter(isInside);
      for (let day = Math.floor(from / secondsPerDay); day * secondsPerDay < to; day++) found.push(...mixOfDay(day).filter(isInside));
      return found.toSorted(byTimeAndPlace);
    },
    inject,
  };
}

function append<K>(lists: Map<K, Fault[]>, key: K, fault: Fault): void {
  const list = lists.get(key);
  if (list) list.push(fault);
  else lists.set(key, [fault]);
}

function groupByFacility(nodes: readonly SimNode[]): Map<string, MixFacility> {
  const facilities = new Map<string, { id: number; key: string; serials: number[] }>();
  for (const { facilityKey: key, serial, role } of nodes) {
    const facility = facilities.get(key) ?? { id: idOfText(key), key, serials: [] };
    if (role !== "field") facility.serials.push(serial);
    facilities.set(key, facility);
  }
  return facilities;
}

function byTimeAndPlace(a: Fault, b: Fault): number {
  return a.start - b.start || (a.serial ?? 0) - (b.serial ?? 0) || compareTexts(a.facilityKey ?? "", b.facilityKey ?? "");
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
