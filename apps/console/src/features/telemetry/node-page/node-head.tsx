import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { isExternalNodeType, isRelayNodeType, nodeTypeLabels, type NodeType } from "@busbar/contract/values/option-lists.ts";
import { Button } from "@mantine/core";
import { IconBolt, IconBoltOff, IconChevronLeft, IconChevronRight, IconPlugConnectedX } from "@tabler/icons-react";
import { Fragment, useState, type ReactNode } from "react";
import { listWalk } from "#lib/list-walk.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { nodePageOf } from "#ui/node-link.tsx";
import { Notice } from "#ui/notice.tsx";
import { NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { trendsOf } from "#ui/trends-link.ts";

/** What can be done from a node's page. */
export interface NodeVerbs {
  onHistory: () => void;
  onConfig: () => void;
  onCredentials: () => void;
  onEditNode: () => void;
  onEditLocation: (locationId: number) => void;
  onNotes: (locationId: number) => void;
  onSwap: () => void;
}

export interface NodeHeadProps {
  node: NodeOverview;
  verbs: NodeVerbs;
  /** More of them, and lines below, of other features. */
  otherVerbs: ReactNode;
  notices: ReactNode;
}

/** What it is, how it is, where it is; then what one can do. */
export function NodeHead({ node, verbs, otherVerbs, notices }: NodeHeadProps) {
  const { serialNumber, type, container, currentDeploymentStatus, newDeploymentStatus, deploymentIssue, deploymentIssueDetails } = node;
  const [walk] = useState(() => listWalk.around(serialNumber));
  const { previous, next } = walk ?? { previous: node.previousSerialNumber, next: node.nextSerialNumber };
  return (
    <>
      <div className="node-head">
        <h1 className="page-title">
          Node <span className="mono">{serialNumber}</span> <CopyButton text={serialNumber} label={`Copy ${serialNumber}`} isInTabOrder />
        </h1>
        <StatusBadge status={currentDeploymentStatus} />
        {newDeploymentStatus !== currentDeploymentStatus && <NextStatusCapsule status={newDeploymentStatus} />}
        <Connection node={node} />
        <span className="dim">
          {nodeTypeLabels[type as NodeType] ?? type}
          {container !== "" && `, ${container}`}
        </span>
        <nav className="node-walk" aria-label={walk ? "Nodes of the list" : "Nodes by serial number"}>
          {previous !== null && (
            <a href={nodePageOf(previous)} aria-label={`Previous node ${previous}`}>
              <IconChevronLeft size={14} aria-hidden className="icon" /> <span className="mono">{previous}</span>
            </a>
          )}
          {next !== null && (
            <a href={nodePageOf(next)} aria-label={`Next node ${next}`}>
              <span className="mono">{next}</span> <IconChevronRight size={14} aria-hidden className="icon" />
            </a>
          )}
        </nav>
      </div>
      <PlaceLinks node={node} onEditLocation={verbs.onEditLocation} />
      <Verbs node={node} verbs={verbs} others={otherVerbs} />
      {deploymentIssue && (
        <Notice kind="warning">Deployment issue{deploymentIssueDetails === "" ? "." : `: ${deploymentIssueDetails}`}</Notice>
      )}
      {notices}
    </>
  );
}

/** Connected, not connected and never connected differ in shape, word and colour. */
function Connection({ node: { connected, connectionChangedTimestamp, timezone } }: { node: NodeOverview }) {
  const Shape = connected ? IconBolt : connectionChangedTimestamp === null ? IconPlugConnectedX : IconBoltOff;
  const word = connected ? "Connected" : connectionChangedTimestamp === null ? "Never connected" : "Not connected";
  return (
    <span className={connected ? "good" : "bad"}>
      <Shape size={15} aria-hidden className="icon" {...(connected ? { fill: "currentColor" } : {})} /> {word}
      {connectionChangedTimestamp !== null && (
        <span className="dim tabular">
          {" "}
          since <DateTime timestamp={connectionChangedTimestamp} timezone={timezone} /> (<TimeAgo timestamp={connectionChangedTimestamp} />)
        </span>
      )}
    </span>
  );
}

function PlaceLinks({ node, onEditLocation }: { node: NodeOverview; onEditLocation: (locationId: number) => void }) {
  const { customerName, facilityId, facilityName, locationId, locationName, isSecondary } = node;
  const customer = customerName !== "" && <a href={`#/customers?filterText=${encodeURIComponent(customerName)}`}>{customerName}</a>;
  if (locationId === null) {
    const last = [customer, ...[facilityName, locationName].filter(Boolean).map((name) => <span key={name}>{name}</span>)].filter(Boolean);
    return (
      <p className="node-place">
        At no location{last.length > 0 && ", last known: "}
        {last.map((place, index) => (
          <Fragment key={index}>
            {index > 0 && " / "}
            {place}
          </Fragment>
        ))}
      </p>
    );
  }
  return (
    <p className="node-place">
      {customer} / {facilityId === null ? <span>{facilityName}</span> : <a href={`#/facilities/${facilityId}`}>{facilityName}</a>} /{" "}
      <button type="button" className="plain-button node-place-button" onClick={() => onEditLocation(locationId)}>
        {locationName}
      </button>
      {isSecondary && <span className="dim"> secondary node</span>}
    </p>
  );
}

function Verbs({ node, verbs, others }: { node: NodeOverview; verbs: NodeVerbs; others: ReactNode }) {
  const { serialNumber, type, locationId, dataInterval } = node;
  const link = (label: string, href: string) => (
    <Button component="a" variant="default" size="compact-sm" href={href}>
      {label}
    </Button>
  );
  const button = (label: string, act: () => void) => (
    <Button variant="default" size="compact-sm" onClick={act}>
      {label}
    </Button>
  );
  return (
    <div className="node-verbs no-print">
      {locationId !== null &&
        !isExternalNodeType(type) &&
        !isRelayNodeType(type) &&
        link("Metering", `#/node-dashboard/${locationId}/${serialNumber}/metering`)}
      {!isExternalNodeType(type) && !isRelayNodeType(type) && link("Trends", trendsOf([serialNumber]))}
      {button("Scalar history", verbs.onHistory)}
      {link("Files", `#/node-dashboard/${serialNumber}/files?dataInterval=${dataInterval}`)}
      {link("Events", `#/events?text=${serialNumber}`)}
      {link("Tasks", `#/nodes/${serialNumber}/tasks`)}
      {link("Incidents", `#/incidents?state=all&serial=${serialNumber}`)}
      {link("Changes", `#/changes?object=node/${serialNumber}`)}
      {button("Node Config", verbs.onConfig)}
      {button("Credentials", verbs.onCredentials)}
      {locationId === null ? button("Edit node", verbs.onEditNode) : button("Edit location", () => verbs.onEditLocation(locationId))}
      {locationId !== null && button("Notes", () => verbs.onNotes(locationId))}
      {locationId !== null && button("Swap node…", verbs.onSwap)}
      {others}
    </div>
  );
}
