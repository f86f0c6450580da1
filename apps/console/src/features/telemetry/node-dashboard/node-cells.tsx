import { counted } from "@busbar/contract/values/counted.ts";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import {
  IconAlertTriangle,
  IconBolt,
  IconBoltOff,
  IconChartLine,
  IconCircuitVoltmeter,
  IconDeviceWatch,
  IconPlugConnectedX,
} from "@tabler/icons-react";
import { formatCount } from "#lib/format-number.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { LabelledIcon } from "#ui/labelled-icon.tsx";
import { placeText } from "#ui/no-place.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { useRowTab } from "#ui/row-tab.ts";
import { RowChoice } from "#ui/row-choice.tsx";
import { LateBadge, NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { trendsOf } from "#ui/trends-link.ts";
import type { RowSelection } from "#ui/use-row-selection.ts";
import { gravityShapes, VerdictSentence, VerdictWord } from "#ui/verdict-words.tsx";
import { readingsOf } from "./readings.ts";
import { shorten } from "./shorten.ts";
import { useIsLate } from "./use-is-late.ts";

// Formatted cells of one node, used by the table and by the narrow list.

/** Connected, not connected and never connected differ in shape, word and colour; one that sends nothing is said to be silent. */
function ConnectionIcon({ node }: { node: DashboardNode }) {
  const isLate = useIsLate(node.lastScalarTimestamp, node.scalarInterval);
  if (node.nodeConnected) {
    const word = isLate && streamsScalars(node.type) ? "Connected, silent" : "Connected";
    return <LabelledIcon icon={IconBolt} label={word} className="good" isFilled />;
  }
  const isNew = !node.hasConnected && node.lastScalarTimestamp === null;
  const word = isNew ? "Never connected" : "Not connected";
  const tone = node.verdict === null ? "bad" : node.verdict.gravity === "act" ? "bad" : "dim";
  return (
    <>
      <LabelledIcon icon={isNew ? IconPlugConnectedX : IconBoltOff} label={word} className={tone} />
      {node.verdict === null && (
        <span className="connection-word bad" aria-hidden="true">
          {word.toLowerCase()}
        </span>
      )}
    </>
  );
}

/** Why it is not fine, on a line of its own. */
export function VerdictLine({ node: { verdict } }: { node: DashboardNode }) {
  if (verdict === null) return null;
  const { shape, className } = gravityShapes[verdict.gravity];
  return (
    <div className={`cell-line verdict-line ${className}`}>
      <span aria-hidden="true">{shape}</span>
      <span className="place">
        <VerdictSentence verdict={verdict} />
      </span>
    </div>
  );
}

export function NodeCell({ node, selection }: { node: DashboardNode; selection?: RowSelection | undefined }) {
  const place = [node.customerCode || node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / ");
  const whole = [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / ");
  const isAtLocation = node.locationId !== null;
  return (
    <>
      <div className="cell-line">
        {selection && <RowChoice rowKey={node.serialNumber} selection={selection} />}
        <b className="serial">
          <NodeLink serial={node.serialNumber} />
        </b>
        {/* Its room is the verdict's while rows are chosen. */}
        {!selection && <CopyButton text={node.serialNumber} label={`Copy ${node.serialNumber}`} />}
        <ConnectionIcon node={node} />
        {node.verdict !== null && node.verdict.kind !== "fine" && <VerdictWord verdict={node.verdict} />}
        {node.notifyOnConnect && <LabelledIcon icon={IconDeviceWatch} label="Notify on connect" />}
        <StatusBadge status={node.currentDeploymentStatus} />
      </div>
      <div className="cell-line">
        {node.newDeploymentStatus !== node.currentDeploymentStatus && <NextStatusCapsule status={node.newDeploymentStatus} />}
        <span className="dim place" title={placeText(whole, isAtLocation)}>
          {placeText(place, isAtLocation)}
        </span>
      </div>
    </>
  );
}

const streamsScalars = (type: string): boolean => !isRelayNodeType(type) && !isExternalNodeType(type);

const platformMissed = (count: number) =>
  `${formatCount(count)} ${count === 1 ? "scalar" : "scalars"} of today not received while the platform was away: the node did not skip ${count === 1 ? "it" : "them"}`;

/** A value that is so much older than the newest one is shown with its age. */
const oldIntervals = 1.5;

export function ScalarCell({ node, onOpenHistory }: { node: DashboardNode; onOpenHistory: () => void }) {
  const tabIndex = useRowTab();
  const { lastScalarTimestamp, scalarInterval } = node;
  const isLate = useIsLate(lastScalarTimestamp, scalarInterval);
  const label = `Recent scalar history for ${node.serialNumber}`;
  if (lastScalarTimestamp === null) {
    return (
      <button type="button" tabIndex={tabIndex} className="plain-button scalar-button dim" onClick={onOpenHistory}>
        <span className="visually-hidden">{label}: </span>
        {streamsScalars(node.type) ? "No scalar yet" : "No scalar stream"}
      </button>
    );
  }
  const { lastScalarData: data, oldestValueTimestamp: oldest } = node;
  const readings = readingsOf(data);
  return (
    <button type="button" tabIndex={tabIndex} className={`plain-button scalar-button${isLate ? " is-late" : ""}`} onClick={onOpenHistory}>
      <span className="visually-hidden">{label}: </span>
      <span className="cell-line scalar-line">
        <span className="ago">
          <TimeAgo timestamp={lastScalarTimestamp} />
        </span>
        <span className="dim full-date">
          <DateTime timestamp={lastScalarTimestamp} timezone={node.timezone} />
        </span>
        <span className="readings tabular" title={readings}>
          {readings}
        </span>
        {isLate && <LateBadge />}
        {oldest !== null && lastScalarTimestamp - oldest > oldIntervals * scalarInterval && (
          <span className="dim" title="The node sends what changed: each value is the last one that it sent">
            oldest value <TimeAgo timestamp={oldest} />
          </span>
        )}
        {node.missingScalarStreamCount > 0 && (
          <span
            className="status-badge status-warn"
            title={node.platformMissedScalarCount > 0 ? `In addition, ${platformMissed(node.platformMissedScalarCount)}` : undefined}
          >
            {formatCount(node.missingScalarStreamCount)} skipped<span className="today"> today</span>
          </span>
        )}
        {node.platformMissedScalarCount > 0 && node.missingScalarStreamCount === 0 && (
          <span className="status-badge status-plain" title={platformMissed(node.platformMissedScalarCount)}>
            {formatCount(node.platformMissedScalarCount)} while <span className="visually-hidden">the platform was </span>away
          </span>
        )}
        {node.voltaSensor !== null && (
          <LabelledIcon
            icon={node.voltaSensor ? IconCircuitVoltmeter : IconAlertTriangle}
            size={14}
            label={node.voltaSensor ? "Sensor well" : "Sensor fault"}
            className={node.voltaSensor ? "good" : "bad"}
          />
        )}
      </span>
      <span className="cell-line mono scalar-data">{shorten(data)}</span>
    </button>
  );
}

export function EventsCell({ node }: { node: DashboardNode }) {
  const tabIndex = useRowTab();
  return (
    <a
      tabIndex={tabIndex}
      href={`#/activities/gpnodeevents?filterText=${node.serialNumber}`}
      aria-label={`${counted(node.eventCount, "event")} of ${node.serialNumber}`}
      className="tabular event-count"
    >
      {formatCount(node.eventCount)}
    </a>
  );
}

export function MeteringCell({ node }: { node: DashboardNode }) {
  const tabIndex = useRowTab();
  if (node.locationId === null || isExternalNodeType(node.type)) return <span className="dim">–</span>;
  const state = node.meterConnected ? "meter connected" : "meter not connected";
  const Icon = node.meterConnected ? IconBolt : IconBoltOff;
  return (
    <>
      <a
        tabIndex={tabIndex}
        href={`#/node-dashboard/${node.locationId}/${node.serialNumber}/metering`}
        aria-label={`Metering of ${node.serialNumber}, ${state}`}
        title={state}
        className="metering-link"
      >
        <Icon size={15} className={`icon ${node.meterConnected ? "good" : "bad"}`} aria-hidden /> Metering
      </a>{" "}
      {streamsScalars(node.type) && (
        <a
          tabIndex={tabIndex}
          href={trendsOf([node.serialNumber])}
          aria-label={`Trends of ${node.serialNumber}`}
          title="Trends"
          className="metering-link"
        >
          <IconChartLine size={15} className="icon" aria-hidden />
        </a>
      )}
    </>
  );
}
