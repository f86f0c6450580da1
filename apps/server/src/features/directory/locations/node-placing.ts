import type { PoolClient } from "pg";
import type { LocationForm } from "@busbar/contract/directory/locations.ts";
import { conflict } from "#lib/errors.ts";
import { findPlaceOf, freeNodes, lockNodes, placeNode, prepareNodes, takeNodes, type PlaceableNode } from "#shared/node-placing.store.ts";
import { findDeployedUnjudged } from "#shared/wiring-evidence.store.ts";
import { wiringWords } from "#shared/wiring-words.ts";

type Serials = Pick<LocationForm, "nodeSerialNumber" | "secondaryNodeSerialNumber">;

const serialsOf = ({ nodeSerialNumber, secondaryNodeSerialNumber }: Serials): string[] =>
  [nodeSerialNumber, secondaryNodeSerialNumber].filter((serial) => serial !== null);

/**
 * The types of the nodes that a location names; they stay as they are until the transaction ends. So do those that it had before:
 * locked together, two locations that want each other's node do not wait for each other.
 */
export async function readNodeTypes(client: PoolClient, after: Serials, before?: Serials): Promise<Map<string, string>> {
  const nodes = await lockNodes(client, [...serialsOf(after), ...(before ? serialsOf(before) : [])]);
  return new Map([...nodes].map(([serial, { type }]) => [serial, type]));
}

/**
 * Makes the nodes of a location those that `after` names: who leaves is free, who comes must be free, who changes the slot keeps
 * its status. Whoever is put in a slot stays there: its awaited change to Unassigned is cancelled. Says in words what happened, and of
 * who is Deployed already why it is so without a wiring verdict (decision 0047).
 * @throws AppError 409 naming the place where a node is already, or the status that keeps it away
 */
export async function placeNodes(
  client: PoolClient,
  locationId: number,
  before: Serials | undefined,
  after: Serials,
  wiringReason = "",
): Promise<string> {
  const present = before ? serialsOf(before) : [];
  const next = serialsOf(after);
  const isSameSlot = (serial: string) =>
    before !== undefined &&
    ((serial === before.nodeSerialNumber && serial === after.nodeSerialNumber) ||
      (serial === before.secondaryNodeSerialNumber && serial === after.secondaryNodeSerialNumber));
  const leaving = present.filter((serial) => !next.includes(serial));
  const switching = present.filter((serial) => next.includes(serial) && !isSameSlot(serial));
  const coming = next.filter((serial) => !present.includes(serial));

  await freeNodes(client, locationId, leaving);
  await takeNodes(client, locationId, switching);
  const placed = [...switching, ...coming];
  const nodes = await lockNodes(client, placed);
  const fieldOf = (serial: string) => (serial === after.nodeSerialNumber ? "nodeSerialNumber" : "secondaryNodeSerialNumber");
  for (const node of nodes.values()) refuseDecommissioned(node, fieldOf(node.serialNumber));
  for (const serial of placed) {
    if (await placeNode(client, serial, locationId, serial === after.nodeSerialNumber ? 1 : 2)) continue;
    throw conflict(`Node ${serial} is already at ${(await findPlaceOf(client, serial)) ?? "another location"}`, fieldOf(serial));
  }
  await prepareNodes(client, placed);
  const unjudged = await findDeployedUnjudged(client, coming);
  const kept = placed.filter((serial) => isLeavingByItself(nodes.get(serial)));
  return [
    ...(coming.length > 0 ? [`; ${coming.join(", ")} came`] : []),
    ...(leaving.length > 0 ? [`; ${leaving.join(", ")} left`] : []),
    ...unjudged.map(({ serialNumber, wiringVerdict }) => `; ${serialNumber} is Deployed${wiringWords(wiringVerdict, wiringReason)}`),
    ...kept.map((serial) => `; the change of ${serial} to Unassigned is cancelled`),
  ].join("");
}

function refuseDecommissioned({ serialNumber, currentDeploymentStatus, newDeploymentStatus }: PlaceableNode, field: string): void {
  if (currentDeploymentStatus === "Decommissioned") throw conflict(`Node ${serialNumber} is decommissioned`, field);
  if (newDeploymentStatus === "Decommissioned")
    throw conflict(`Node ${serialNumber} is about to be Decommissioned. Set its status back to ${currentDeploymentStatus} first`, field);
}

const isLeavingByItself = (node: PlaceableNode | undefined) =>
  node !== undefined && node.newDeploymentStatus === "Unassigned" && node.currentDeploymentStatus !== "Unassigned";
