import type { DeploymentStatus, Timezone } from "@busbar/contract/values/option-lists.ts";
import type { Quirks } from "@busbar/simulator/node-model/sim-node.ts";
import { machines, type Machine, type MachineName } from "./machines.ts";
import { oddities } from "./oddities.ts";
import { demoCustomers, demoFacilities, type DemoCustomer, type DemoFacility } from "./places.ts";

export interface DemoNode {
  serial: number;
  type: string;
  parentSerial?: number;
  /** Where it hangs; absent for a node at no location. */
  place?: { facility: DemoFacility; location: string; slot: 1 | 2 };
  unassigned?: { customer: string; facility: string; location: string };
  decommissionedFrom?: DemoFacility;
  currentStatus: DeploymentStatus;
  newStatus: DeploymentStatus;
  notifyOnConnect: boolean;
  scalarIntervalSeconds: number;
  machine: Machine;
  timezone: Timezone | "UTC";
  quirks: Quirks;
  /** One of those that a larger fleet adds. */
  isGenerated?: boolean;
}

export interface DemoWorld {
  customers: readonly DemoCustomer[];
  facilities: readonly DemoFacility[];
  nodes: readonly DemoNode[];
}

export const namedNodeCount = 60;
const firstGeneratedSerial = 20_001;
const generatedMachines: readonly MachineName[] = [
  "feedPump",
  "fan",
  "conveyor",
  "transferPump",
  "blower",
  "compressor",
  "press",
  "crusher",
];

/** The demo world: 60 named nodes, and generated ones beyond that when more are requested. The same for everyone. */
export function createDemoWorld(nodeCount = namedNodeCount): DemoWorld {
  const nodes = [...assignedNodes(), ...nodesAtNoLocation()];
  return {
    customers: demoCustomers,
    facilities: demoFacilities,
    nodes: [...nodes, ...generatedNodes(Math.max(0, nodeCount - nodes.length))],
  };
}

/** The same world with every machine running round the clock. */
export const withoutStops = (world: DemoWorld): DemoWorld => ({
  ...world,
  nodes: world.nodes.map((node) => ({ ...node, machine: { ...node.machine, shift: "unbroken" } })),
});

function assignedNodes(): DemoNode[] {
  const nodes: DemoNode[] = [];
  const serialAt = new Map<string, number>();
  demoFacilities.forEach((facility, facilityIndex) => {
    let serial = 10_100 + 100 * facilityIndex;
    for (const [location, machineName] of facility.locations) {
      const odd = oddities.get(location) ?? {};
      const primary = createNode(++serial, facility, location, machineName);
      serialAt.set(location, serial);
      nodes.push({
        ...primary,
        type: odd.type ?? "Node",
        ...(odd.parentLocation ? { parentSerial: serialAt.get(odd.parentLocation) } : {}),
        currentStatus: odd.currentStatus ?? "Deployed",
        newStatus: odd.newStatus ?? odd.currentStatus ?? "Deployed",
        notifyOnConnect: odd.notifyOnConnect ?? false,
        scalarIntervalSeconds: odd.scalarIntervalSeconds ?? primary.scalarIntervalSeconds,
        quirks: odd.quirks ?? {},
      });
      // A second node measures the field winding of DC and synchronous motors.
      if (primary.machine.equipmentType === "DCMotor" || primary.machine.equipmentType === "SynchronousMotor") {
        nodes.push({ ...primary, serial: ++serial, place: { facility, location, slot: 2 } });
      }
    }
  });
  return nodes;
}

function createNode(serial: number, facility: DemoFacility, location: string, machineName: MachineName): DemoNode {
  return {
    serial,
    type: "Node",
    place: { facility, location, slot: 1 },
    currentStatus: "Deployed",
    newStatus: "Deployed",
    notifyOnConnect: false,
    scalarIntervalSeconds: 10,
    machine: facility.timezone === "Asia/Kolkata" ? at50Hz(machines[machineName]) : machines[machineName],
    timezone: facility.timezone,
    quirks: {},
  };
}

function at50Hz(machine: Machine): Machine {
  const isLowVoltage = machine.npVoltage < 500 && machine.hp > 0;
  return {
    ...machine,
    npRpm: Math.round((machine.npRpm * 5) / 6),
    ...(isLowVoltage ? { npVoltage: 400, npCurrent: Math.round(machine.npCurrent * 11.5) / 10 } : {}),
  };
}

function nodesAtNoLocation(): DemoNode[] {
  const [sawmill, , , saltmarsh, , , , , boardMachine] = demoFacilities;
  const base = { ...createNode(0, demoFacilities[0] as DemoFacility, "", "transferPump"), place: undefined, timezone: "UTC" } as const;
  const unassigned = { ...base, currentStatus: "Unassigned", newStatus: "Unassigned" } as const;
  const retired = { ...base, currentStatus: "Decommissioned", newStatus: "Decommissioned", quirks: { neverConnects: true } } as const;
  return [
    { ...unassigned, serial: 18_001, unassigned: { customer: "benches", facility: "Bench Hall", location: "Shelf 3" } },
    {
      ...unassigned,
      serial: 18_002,
      newStatus: "Pre-Deployment",
      unassigned: { customer: "dunwickel", facility: "Larkspur Corrugator", location: "Spare in the control room" },
    },
    { ...unassigned, serial: 18_003, quirks: { neverConnects: true }, unassigned: { customer: "alderwyn", facility: "", location: "" } },
    { ...unassigned, serial: 18_004, quirks: { neverConnects: true } },
    { ...retired, serial: 19_001, decommissionedFrom: sawmill },
    { ...retired, serial: 19_002, decommissionedFrom: sawmill },
    { ...retired, serial: 19_003, decommissionedFrom: saltmarsh },
    { ...retired, serial: 19_004, decommissionedFrom: boardMachine },
  ];
}

function generatedNodes(count: number): DemoNode[] {
  return Array.from({ length: count }, (_, index) => {
    const facility = demoFacilities[index % demoFacilities.length] as DemoFacility;
    const machineName = generatedMachines[index % generatedMachines.length] as MachineName;
    return {
      ...createNode(firstGeneratedSerial + index, facility, `Generated ${machines[machineName].hp} hp ${index + 1}`, machineName),
      isGenerated: true,
    };
  });
}
