import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import type { DecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import {
  IconArrowMoveRight,
  IconArrowsExchange,
  IconBoxOff,
  IconChartLine,
  IconNotes,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import { trendsOfLocation } from "#ui/trends-of-location.tsx";
import type { TreeItem } from "./tree-branches.ts";

/** What can be asked of the page from the tree. */
export type TreeRequest =
  | { kind: "add-customer" }
  | { kind: "edit-customer"; customer: Customer }
  | { kind: "delete-customer"; customer: Customer }
  | { kind: "add-facility"; customer: Customer }
  | { kind: "edit-facility"; customer: Customer; facility: Facility }
  | { kind: "delete-facility"; customer: Customer; facility: Facility }
  | { kind: "facility-managers"; customer: Customer; facility: Facility }
  | { kind: "move-facility"; customer: Customer; facility: Facility }
  | { kind: "add-decommissioned-node"; customer: Customer }
  | { kind: "delete-decommissioned-node"; customer: Customer; node: DecommissionedNode }
  | { kind: "add-location"; customerId: number; facilityId: number; facilityName: string }
  | { kind: "location"; locationId: number }
  | { kind: "location-notes"; locationId: number }
  | { kind: "move-location"; locationId: number }
  | { kind: "delete-location"; locationId: number }
  | { kind: "node"; serial: string }
  | { kind: "swap-node"; serial: string };

export type TreeAction = {
  /** Names the item: `Edit facility North Works`. */
  label: string;
  icon: Icon;
  isDangerous?: boolean;
} & ({ request: TreeRequest } | { href: string });

export interface TreePermissions {
  /** systemAdministrator only. */
  mayMoveLocations: boolean;
}

/** What a row offers. */
export function actionsOf(item: TreeItem, { mayMoveLocations }: TreePermissions): TreeAction[] {
  switch (item.kind) {
    case "customer": {
      const { customer } = item;
      return [
        { label: `Add facility to ${customer.name}`, icon: IconPlus, request: { kind: "add-facility", customer } },
        { label: `Edit customer ${customer.name}`, icon: IconPencil, request: { kind: "edit-customer", customer } },
        { label: `Add decommissioned node to ${customer.name}`, icon: IconBoxOff, request: { kind: "add-decommissioned-node", customer } },
        { label: `Delete customer ${customer.name}`, icon: IconTrash, request: { kind: "delete-customer", customer }, isDangerous: true },
      ];
    }
    case "facility": {
      const { customer, facility } = item;
      const { id: facilityId, name } = facility;
      return [
        {
          label: `Add location to ${name}`,
          icon: IconPlus,
          request: { kind: "add-location", customerId: customer.id, facilityId, facilityName: name },
        },
        { label: `Edit facility ${name}`, icon: IconPencil, request: { kind: "edit-facility", customer, facility } },
        { label: `Managers of ${name}`, icon: IconUsers, request: { kind: "facility-managers", customer, facility } },
        { label: `Move facility ${name}`, icon: IconArrowMoveRight, request: { kind: "move-facility", customer, facility } },
        { label: `Delete facility ${name}`, icon: IconTrash, request: { kind: "delete-facility", customer, facility }, isDangerous: true },
      ];
    }
    case "location": {
      const { id: locationId, name } = item.location;
      const trends = trendsOfLocation(item.location);
      return [
        { label: `Edit location ${name}`, icon: IconPencil, request: { kind: "location", locationId } },
        { label: `Notes for ${name}`, icon: IconNotes, request: { kind: "location-notes", locationId } },
        ...(trends === undefined ? [] : [{ label: `Trends of ${name}`, icon: IconChartLine, href: trends }]),
        ...(mayMoveLocations
          ? [{ label: `Move location ${name}`, icon: IconArrowMoveRight, request: { kind: "move-location", locationId } as const }]
          : []),
        { label: `Delete location ${name}`, icon: IconTrash, request: { kind: "delete-location", locationId }, isDangerous: true },
      ];
    }
    case "node": {
      const serial = item.node.serialNumber;
      return [
        { label: `Edit node ${serial}`, icon: IconPencil, request: { kind: "node", serial } },
        { label: `Swap node ${serial}…`, icon: IconArrowsExchange, request: { kind: "swap-node", serial } },
      ];
    }
    case "retired-list":
      return [
        {
          label: `Add decommissioned node to ${item.customer.name}`,
          icon: IconPlus,
          request: { kind: "add-decommissioned-node", customer: item.customer },
        },
      ];
    case "retired-node":
      return [
        {
          label: `Delete decommissioned node ${item.node.serialNumber}`,
          icon: IconTrash,
          request: { kind: "delete-decommissioned-node", customer: item.customer, node: item.node },
          isDangerous: true,
        },
      ];
  }
}
