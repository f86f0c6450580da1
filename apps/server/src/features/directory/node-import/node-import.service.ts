import { hasSecondaryNode } from "@busbar/contract/directory/locations.ts";
import { mostNodeImportLines, nodeImportColumns } from "@busbar/contract/directory/node-import.ts";
import { NewNode, NodePatch, WiringReason } from "@busbar/contract/directory/nodes.ts";
import { newNodeDefaults } from "@busbar/contract/directory/node-fields.ts";
import { SerialNumber } from "@busbar/contract/values/serial-number.ts";
import type { Pool, PoolClient } from "pg";
import * as z from "zod/mini";
import type { Locations } from "#features/directory/locations/locations.service.ts";
import type { Nodes } from "#features/directory/nodes/nodes.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, invalid } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { otherCapitals } from "#shared/import-lines.ts";
import {
  cellText,
  checked,
  createRecordImport,
  givenChanges,
  type CellValue,
  type LineOutcome,
  type RecordValues,
} from "#shared/record-import.ts";
import { findImportLocations, findImportNodes, type ImportLocation } from "./node-import.store.ts";

export interface NodeImportDependencies {
  pool: Pool;
  log: Log;
  nodes: Pick<Nodes, "add" | "change" | "containers" | "lookUp" | "refuseUnexplained">;
  locations: Pick<Locations, "change">;
}

type Column = keyof typeof nodeImportColumns;
type Values = RecordValues<Column>;

const columns = Object.keys(nodeImportColumns) as Column[];
const isOfType = (type: "boolean" | "number") => (column: Column) =>
  typeof newNodeDefaults[column as keyof typeof newNodeDefaults] === type;
const others = new Set<Column>(["serialNumber", "newDeploymentStatus", "wiringReason", "customerCode", "facilityName", "locationName"]);
/** What a node keeps as it is written; its status and its place go other ways. */
const fields = columns.filter((column): column is Exclude<Column, "wiringReason"> => !others.has(column));

const isSerial = (value: CellValue | undefined): boolean => z.safeParse(SerialNumber, value).success;

const keys = z.object({ serialNumber: SerialNumber, wiringReason: z.optional(WiringReason) });

/** Nodes from a file, as the list of nodes exports it. None gets credentials by it. */
export function createNodeImport({ pool, log, nodes, locations }: NodeImportDependencies) {
  return createRecordImport<Column, Caller>(
    { pool, log },
    {
      noun: "node",
      names: nodeImportColumns,
      key: "serialNumber",
      flags: new Set(columns.filter(isOfType("boolean"))),
      numbers: new Set(columns.filter(isOfType("number"))),
      mostLines: mostNodeImportLines,

      async begin(client, caller, lines) {
        const locationOf = await createLocationFinder(client, lines);
        const refuseLookalike = createContainerRule(await nodes.containers(client));
        const present = await findImportNodes(
          client,
          lines.flatMap(({ serialNumber }) => (isSerial(serialNumber) ? [Number(serialNumber)] : [])),
        );
        return (values) => perform(client, caller, values, { locationOf, refuseLookalike, isPresent: (serial) => present.has(serial) });
      },
    },
  );

  async function perform(client: PoolClient, caller: Caller, values: Values, known: Known): Promise<LineOutcome> {
    const { serialNumber: serial, wiringReason } = checked(keys, values);
    const before = known.isPresent(Number(serial)) ? await nodes.lookUp(client, Number(serial)) : undefined;
    const location = known.locationOf(values);
    const status = values.newDeploymentStatus;
    const comes = location !== undefined && before?.locationId !== location.id;
    if (comes && status === "Unassigned") throw invalid("newDeploymentStatus", "A node that is placed at a location is not Unassigned");
    if (comes && before?.isAssigned)
      throw conflict(`It is at ${before.facilityName} / ${before.locationName}: swap it or take it away there first`, "locationName");
    if (!before) {
      if (values.container === undefined) throw invalid("container", "A new node needs one");
      known.refuseLookalike(String(values.container));
      const given = Object.fromEntries(fields.flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]])));
      await nodes.add(
        client,
        caller,
        checked(NewNode, { ...given, serialNumber: serial, ...(status === undefined ? {} : { newDeploymentStatus: status }) }),
        wiringReason,
      );
    }
    if (comes) await placeAt(client, caller, serial, location, wiringReason);
    if (!before) {
      if (comes && status === "Deployed") nodes.refuseUnexplained((await nodes.lookUp(client, Number(serial)))!, wiringReason);
      return { name: serial, isNew: true, changes: givenChanges(nodeImportColumns, values) };
    }

    const changed = fields.filter((field) => values[field] !== undefined && values[field] !== before[field]);
    if (changed.includes("container")) known.refuseLookalike(String(values.container));
    const isAsked = status !== undefined && status !== before.currentDeploymentStatus && status !== before.newDeploymentStatus;
    const patch = {
      ...Object.fromEntries(changed.map((field) => [field, values[field]])),
      ...(isAsked ? { newDeploymentStatus: status, wiringReason } : {}),
    };
    const edited = Object.keys(patch).length > 0 ? await nodes.change(client, caller, before.id, checked(NodePatch, patch)) : undefined;
    // Deployed on the shelf: the question comes with the place.
    if (comes && before.newDeploymentStatus === "Deployed")
      nodes.refuseUnexplained((await nodes.lookUp(client, Number(serial)))!, wiringReason);
    const shown = (column: Column, was: CellValue | null) => ({
      column: nodeImportColumns[column],
      before: cellText(was),
      after: cellText(values[column]),
    });
    return {
      name: serial,
      isNew: false,
      changes: [
        ...(comes ? [shown("locationName", "")] : []),
        ...(isAsked ? [shown("newDeploymentStatus", before.currentDeploymentStatus)] : []),
        ...(edited?.isUnjudged === true ? [shown("wiringReason", "")] : []),
        ...changed.map((field) => shown(field, before[field])),
      ],
    };
  }

  /** Into the slot that is free. @throws AppError 409 where another node is there */
  async function placeAt(
    client: PoolClient,
    caller: Caller,
    serial: string,
    { id, ...place }: ImportLocation,
    wiringReason: string | undefined,
  ): Promise<void> {
    await locations.change(client, caller, place, id, ({ nodeSerialNumber, secondaryNodeSerialNumber, equipmentType }) => {
      if (nodeSerialNumber === null) return { nodeSerialNumber: serial, wiringReason };
      if (secondaryNodeSerialNumber === null && hasSecondaryNode(equipmentType)) return { secondaryNodeSerialNumber: serial };
      throw conflict(`Node ${nodeSerialNumber} is there already`, "locationName");
    });
  }
}
export type NodeImport = ReturnType<typeof createNodeImport>;

interface Known {
  locationOf: (values: Values) => ImportLocation | undefined;
  refuseLookalike: (container: string) => void;
  isPresent: (serial: number) => boolean;
}

/** Where a line wants its node; undefined where it says nothing of a place. */
async function createLocationFinder(client: PoolClient, lines: readonly Values[]): Promise<Known["locationOf"]> {
  const namesOf = ({ customerCode, facilityName, locationName }: Values) => [customerCode, facilityName, locationName].map(String);
  const wanted = new Map(
    lines.flatMap((line) => (line.locationName === undefined ? [] : [[namesOf(line).join("\n").toLowerCase(), namesOf(line)]])),
  );
  const found = Map.groupBy(await findImportLocations(client, [...wanted.values()]), ({ names }) => names.join("\n").toLowerCase());
  return ({ customerCode, facilityName, locationName }) => {
    if (locationName === undefined) {
      if (facilityName !== undefined) throw invalid("locationName", "A node is at a location of a facility, and this line names none");
      return undefined;
    }
    if (customerCode === undefined) throw invalid("customerCode", "A location is found by customer code, facility and name");
    if (facilityName === undefined) throw invalid("facilityName", "A location is found by customer code, facility and name");
    const names = [customerCode, facilityName, locationName].map(String);
    const alike = found.get(names.join("\n").toLowerCase()) ?? [];
    const [same, ...more] = alike.filter((location) => location.names.every((name, index) => name === names[index]));
    if (more.length > 0)
      throw invalid("locationName", `${facilityName} has several locations of this name: which one is meant cannot be known`);
    if (same) return same;
    const other = alike[0] ? `. There is one of other capital letters: ${alike[0].names.join(" / ")}` : "";
    throw invalid("locationName", `There is no location ${locationName} at ${facilityName} of ${customerCode}${other}`);
  };
}

/** @throws AppError 409 where a container differs from another one in capital letters only */
function createContainerRule(present: readonly string[]): Known["refuseLookalike"] {
  const known = new Map(present.map((container) => [container.toLowerCase(), container]));
  const all = new Set(present);
  return (container) => {
    const other = known.get(container.toLowerCase());
    if (other !== undefined && !all.has(container)) throw conflict(otherCapitals(other), "container");
    known.set(container.toLowerCase(), container);
    all.add(container);
  };
}
