import { hasSecondaryNode, type AvailableNode, type Location, type LocationNode } from "@busbar/contract/directory/locations.ts";
import { useWatch, type Control } from "react-hook-form";
import { Notice } from "#ui/notice.tsx";
import type { LocationValues } from "./location-values.ts";

export interface NodeNoticesProps {
  control: Control<LocationValues>;
  /** As it is stored; undefined for a new one. */
  location: Location | undefined;
  nodes: readonly (AvailableNode | LocationNode)[];
}

/** What saving means for the nodes that come and go, said before it happens. */
export function NodeNotices({ control, location, nodes }: NodeNoticesProps) {
  const [equipmentType, primary, secondary] = useWatch({
    control,
    name: ["equipmentType", "nodeSerialNumber", "secondaryNodeSerialNumber"],
  });
  const stored = [location?.nodeSerialNumber ?? "", location?.secondaryNodeSerialNumber ?? ""];
  const chosen = [primary, hasSecondaryNode(equipmentType) ? secondary : ""];
  const leaving = stored.filter((serial) => serial !== "" && !chosen.includes(serial));
  const placed = chosen.filter((serial, slot) => serial !== "" && serial !== stored[slot]);
  const staying = nodes.filter(
    ({ serialNumber, currentDeploymentStatus, newDeploymentStatus }) =>
      placed.includes(serialNumber) && newDeploymentStatus === "Unassigned" && currentDeploymentStatus !== "Unassigned",
  );
  const [noun, verb] = leaving.length === 1 ? ["Node", "leaves"] : ["Nodes", "leave"];
  return (
    <>
      {leaving.length > 0 && (
        <Notice kind="warning">
          {noun} {leaving.join(" and ")} {verb} this location when you save, and {leaving.length === 1 ? "becomes" : "become"} Unassigned.
        </Notice>
      )}
      {staying.map(({ serialNumber, currentDeploymentStatus }) => (
        <Notice key={serialNumber} kind="warning">
          Node {serialNumber} is about to become Unassigned. Saving cancels this change: it is placed here and stays{" "}
          {currentDeploymentStatus}.
        </Notice>
      ))}
    </>
  );
}
