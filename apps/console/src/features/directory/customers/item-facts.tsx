import { counted } from "@busbar/contract/values/counted.ts";
import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import type { DecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { nodeTypeLabels } from "@busbar/contract/values/option-lists.ts";
import type { Location, LocationNode } from "@busbar/contract/directory/locations.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { RowTab } from "#ui/row-tab.ts";
import type { TreeItem } from "./tree-branches.ts";

export const locationCount = ({ facilities }: Customer) => facilities.reduce((sum, { locations }) => sum + locations.length, 0);

/** The name and the facts of a row. */
export function ItemFacts({ item, isExpanded, isActive }: { item: TreeItem; isExpanded: boolean; isActive: boolean }) {
  return <RowTab value={isActive ? 0 : -1}>{factsOf(item, isExpanded)}</RowTab>;
}

function factsOf(item: TreeItem, isExpanded: boolean) {
  switch (item.kind) {
    case "customer":
      return <CustomerFacts customer={item.customer} />;
    case "facility":
      return <FacilityFacts facility={item.facility} />;
    case "location":
      return <LocationFacts location={item.location} hasNodesBelow={isExpanded} />;
    case "node":
      return <NodeFacts node={item.node} isSecondary={item.isSecondary} />;
    case "retired-list":
      return (
        <>
          <span className="tree-name dim">Decommissioned nodes</span>
          <span className="tree-facts">{item.customer.decommissionedNodes.length}</span>
        </>
      );
    case "retired-node":
      return <RetiredFacts node={item.node} />;
  }
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const retired = customer.decommissionedNodes.length;
  return (
    <>
      <span className="tree-name is-customer" title={customer.name}>
        {customer.name}
      </span>
      <span className="tree-facts">
        <span className="mono">{customer.code}</span>
        {customer.type === "Internal" && <span className="status-badge status-plain">Internal</span>}
        <span>{counted(customer.facilities.length, "facility", "facilities")}</span>
        <span>{counted(locationCount(customer), "location", "locations")}</span>
        {retired > 0 && <span>{retired.toLocaleString("en-US")} decommissioned</span>}
      </span>
    </>
  );
}

function FacilityFacts({ facility }: { facility: Facility }) {
  return (
    <>
      <span className="tree-name" title={facility.name}>
        {facility.name}
      </span>
      <span className="tree-facts">
        {facility.siteName !== facility.name && <span>{facility.siteName}</span>}
        {facility.division !== "" && <span>{facility.division}</span>}
        {facility.type !== "Inherit from Customer" && <span className="status-badge status-plain">{facility.type}</span>}
        <span>{counted(facility.locations.length, "location", "locations")}</span>
        {facility.managers.length > 0 && <span>{counted(facility.managers.length, "manager", "managers")}</span>}
      </span>
    </>
  );
}

function LocationFacts({ location, hasNodesBelow }: { location: Location; hasNodesBelow: boolean }) {
  return (
    <>
      <span className="tree-name" title={location.name}>
        {location.name}
      </span>
      <span className="tree-facts">
        <span>{location.equipmentType}</span>
        {location.assetLocationNumber !== "" && <span>{location.assetLocationNumber}</span>}
        {location.nodes.length === 0 && <span>no node</span>}
        {!hasNodesBelow && location.nodes.map(({ serialNumber }) => <NodeLink key={serialNumber} serial={serialNumber} />)}
      </span>
    </>
  );
}

function NodeFacts({ node, isSecondary }: { node: LocationNode; isSecondary: boolean }) {
  const unmonitored = [
    ...(node.monitorMissingData ? [] : ["missing data"]),
    ...(node.monitorDataPointAlerts ? [] : ["data point alerts"]),
    ...(node.monitorDailyProgress ? [] : ["daily progress"]),
  ];
  return (
    <>
      <span className="tree-name">
        <NodeLink serial={node.serialNumber} />
      </span>
      <CopyButton text={node.serialNumber} label={`Copy ${node.serialNumber}`} />
      <span className="tree-facts">
        {/* CUS-19 */}
        <StatusBadge status={node.currentDeploymentStatus} />
        {node.newDeploymentStatus !== node.currentDeploymentStatus && <NextStatusCapsule status={node.newDeploymentStatus} />}
        <span>{isSecondary ? "Secondary" : "Primary"}</span>
        <span>{nodeTypeLabels[node.type as keyof typeof nodeTypeLabels] ?? node.type}</span>
        {node.deploymentTaskType !== null && <span className="status-badge status-plain">{node.deploymentTaskType}</span>}
        {node.container !== "" && <span>{node.container}</span>}
        {unmonitored.length > 0 && <span>not monitored: {unmonitored.join(", ")}</span>}
      </span>
    </>
  );
}

function RetiredFacts({ node }: { node: DecommissionedNode }) {
  const last = [node.retiredCustomer, node.retiredFacility, node.retiredLocation].filter((part) => part !== "");
  return (
    <>
      <span className="tree-name">
        <NodeLink serial={node.serialNumber} />
      </span>
      <CopyButton text={node.serialNumber} label={`Copy ${node.serialNumber}`} />
      <span className="tree-facts">
        <StatusBadge status="Decommissioned" />
        <span>
          {node.facilityName}, {node.siteName}
        </span>
        {last.length > 0 && <span>last at {last.join(" / ")}</span>}
      </span>
    </>
  );
}
