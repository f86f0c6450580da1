import { channels } from "./channels.ts";
import { startsOfUtcDay } from "./duty.ts";
import { createEffect, dropOutEffects, nodeEffectsOf, supplyEffectOf, type ElectricalEffect, type Machinery } from "./electrical-effect.ts";
import { createFaultCalendar } from "./fault-calendar.ts";
import type { Fault } from "./fault.ts";
import { createLinkModel, linkFaultKinds, type LinkModel } from "./link-faults.ts";
import { createNodeModel, type NodeModel } from "./node-model.ts";
import { between } from "./random.ts";
import { isRoundTheClock, type SimNode } from "./sim-node.ts";
import { createSupply, type Supply } from "./supply.ts";
import { createWindowIndex, type WindowIndex } from "./window-index.ts";

export interface PlantNode {
  model: NodeModel;
  link: LinkModel;
}

/** All simulated nodes with the supplies they share and the faults that befall them. */
export interface Plant {
  readonly nodes: ReadonlyMap<number, PlantNode>;
  /** Multiplies the rates of the default fault mix. */
  readonly faultScale: number;
  /** Faults that begin in [from, to), in order of time. */
  faultsStartingIn(fromEpochSeconds: number, toEpochSeconds: number): Fault[];
  /** Adds a fault while running. */
  inject(fault: Fault): void;
}

export interface PlantOptions {
  seed: number;
  nodes: readonly SimNode[];
  /** Multiplies the rates of the default fault mix; 0: only the script. */
  faultScale: number;
  script: readonly Fault[];
}

interface Facility {
  supply: Supply;
  effects: WindowIndex<ElectricalEffect>;
  members: NodeModel[];
}

export function createPlant({ seed, nodes, faultScale, script }: PlantOptions): Plant {
  const calendar = createFaultCalendar({ seed, scale: faultScale }, nodes, script);
  const facilities = new Map<string, Facility>();
  const plantNodes = new Map<number, PlantNode>();
  const nodeIndexes: WindowIndex<ElectricalEffect>[] = [];

  const facilityOf = (node: SimNode): Facility => {
    let facility = facilities.get(node.facilityKey);
    if (!facility) {
      const supply = createSupply(seed, node.facilityKey, node.timezone);
      const members: NodeModel[] = [];
      const effectsOfDay = (day: number) => [
        ...calendar.facilityFaults(node.facilityKey, day).flatMap((fault) => supplyEffectOf(fault) ?? []),
        ...members.flatMap((member) => startDips(supply, member, day)),
      ];
      const lasting = () => calendar.lastingFacilityFaults(node.facilityKey).flatMap((fault) => supplyEffectOf(fault) ?? []);
      facility = { supply, effects: createWindowIndex(effectsOfDay, lasting), members };
      facilities.set(node.facilityKey, facility);
    }
    return facility;
  };

  const addNode = (node: SimNode) => {
    const { supply, effects, members } = facilityOf(node);
    const effectsOf = (facilityFaults: readonly Fault[], nodeFaults: readonly Fault[]) => [
      ...facilityFaults.flatMap((fault) => {
        const effect = supplyEffectOf(fault);
        return effect ? dropOutEffects(effect, machinery) : [];
      }),
      ...nodeFaults.flatMap((fault) => nodeEffectsOf(fault, machinery)),
    ];
    const nodeEffects = createWindowIndex<ElectricalEffect>(
      (day) => effectsOf(calendar.facilityFaults(node.facilityKey, day), calendar.nodeFaults(node.serial, day)),
      (day) => effectsOf(calendar.lastingFacilityFaults(node.facilityKey), calendar.lastingNodeFaults(node.serial, day)),
    );
    const model = createNodeModel({ seed, node, supply, supplyEffects: effects, nodeEffects });
    const machinery = machineryOf(seed, model);
    const link = createLinkModel(
      seed,
      node,
      faultScale,
      (day) => [...calendar.facilityFaults(node.facilityKey, day), ...calendar.nodeFaults(node.serial, day)].filter(isLinkFault),
      (day) => [...calendar.lastingFacilityFaults(node.facilityKey), ...calendar.lastingNodeFaults(node.serial, day)].filter(isLinkFault),
    );
    members.push(model);
    nodeIndexes.push(nodeEffects);
    plantNodes.set(node.serial, { model, link });
  };
  for (const node of nodes) addNode(node);

  return {
    nodes: plantNodes,
    faultScale,
    faultsStartingIn: (from, to) => calendar.faultsStartingIn(from, to),
    inject(fault) {
      calendar.inject(fault);
      for (const facility of facilities.values()) facility.effects.reset();
      for (const index of nodeIndexes) index.reset();
      for (const { link } of plantNodes.values()) link.reset();
    },
  };
}

const isLinkFault = (fault: Fault) => linkFaultKinds.has(fault.kind);

function machineryOf(seed: number, model: NodeModel): Machinery {
  const { node, machine } = model;
  // A main has no contactor; nor has a rectifier that feeds a bus
  const hasContactor = machine.kind !== "feeder" && machine.kind !== "rectifier";
  const serial = node.machineSerial ?? node.serial;
  return {
    contactorHoldsAbove: hasContactor ? between(0.55, 0.65, seed, serial, channels.contactor, 0) : 0,
    restartDelaySeconds: Math.round(between(5, 60, seed, serial, channels.restartDelay, 0)),
    startDurationSeconds: model.starting.durationSeconds,
  };
}

/** The dips that a machine's starts make for its whole facility: ΔV/V = √3·V·I_start / S_sc. */
function startDips(supply: Supply, { node, machine, duty, starting }: NodeModel, day: number): ElectricalEffect[] {
  if (machine.kind !== "induction" || isRoundTheClock(node.shift)) return [];
  const limit = starting.method === "soft" ? starting.limit * node.npCurrent : starting.limit * machine.lockedRotorAmps;
  // medium voltage comes from a stronger point of the grid
  const shortCircuitVa = supply.shortCircuitMva * 1e6 * (node.npVoltage > 1000 ? 8 : 1);
  const depth = Math.min(0.15, (Math.sqrt(3) * node.npVoltage * limit) / shortCircuitVa);
  if (depth < 0.001) return [];
  const m = 1 - depth;
  return startsOfUtcDay(duty, day).map((start) =>
    createEffect("voltage", start, start + starting.accelerationSeconds, { m1: m, m2: m, m3: m }),
  );
}
