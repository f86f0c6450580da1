import { toTexts, type StoredSignatures } from "#lib/harmonic-signatures.ts";
import type { Location, LocationNode } from "@busbar/contract/directory/locations.ts";

/** A location as it is stored, with its nodes. */
export type LocationRow = Omit<Location, "nodeSerialNumber" | "secondaryNodeSerialNumber" | "harmonicSignatures" | "nodes"> & {
  harmonicSignatures: StoredSignatures;
  nodes: (LocationNode & { slot: 1 | 2 })[];
};

export function toLocation(row: LocationRow): Location {
  const serialAt = (slot: 1 | 2) => row.nodes.find((node) => node.slot === slot)?.serialNumber ?? null;
  return {
    ...row,
    nodeSerialNumber: serialAt(1),
    secondaryNodeSerialNumber: serialAt(2),
    faultLibraryAlertFlags: sortedFlags(row.faultLibraryAlertFlags),
    harmonicSignatures: toTexts(row.harmonicSignatures),
    nodes: row.nodes.map(({ slot: _slot, ...node }) => node),
  };
}

/** In one order, whatever a request or the database made of it. */
export function sortedFlags(flags: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
