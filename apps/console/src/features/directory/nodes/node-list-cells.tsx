import { nodeTypeLabels, type NodeType } from "@busbar/contract/values/option-lists.ts";
import { IconAdjustments, IconBolt, IconBoltOff, IconCheck, IconChecklist, IconCpu, IconMapPin } from "@tabler/icons-react";
import { formatDateTime } from "#lib/format-date.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { LabelledIcon } from "#ui/labelled-icon.tsx";
import { NoPlace } from "#ui/no-place.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { useRowTab } from "#ui/row-tab.ts";
import { RowChoice } from "#ui/row-choice.tsx";
import type { RowSelection } from "#ui/use-row-selection.ts";
import { NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import type { NodeRecord } from "./node-record.ts";

// Cells of one node, used by the table and by the narrow list.

export interface NodeActions {
  onEditNode: (serial: string) => void;
  onEditLocation: (locationId: number) => void;
  onEditConfig: (serial: string) => void;
  /** Which rows are chosen, where rows can be. */
  selection?: RowSelection;
}

/** NOD-06: a node at a location is edited with its location. */
export function editRecord({ serial, node }: NodeRecord, { onEditNode, onEditLocation }: NodeActions): void {
  if (node.isAssigned && node.locationId !== null) onEditLocation(node.locationId);
  else onEditNode(serial);
}

export function SerialCell({ record: { serial, node }, selection }: { record: NodeRecord; selection: RowSelection | undefined }) {
  return (
    <div className="cell-line">
      {selection && <RowChoice rowKey={serial} selection={selection} />}
      <b className="serial">
        <NodeLink serial={serial} />
      </b>
      <CopyButton text={serial} label={`Copy ${serial}`} />
      {node.connected ? (
        <LabelledIcon icon={IconBolt} label="Connected" className="good" isFilled />
      ) : (
        <LabelledIcon icon={IconBoltOff} label="Not connected" className="bad" />
      )}
    </div>
  );
}

export function StatusCell({ record: { node } }: { record: NodeRecord }) {
  return (
    <>
      <div className="cell-line">
        <StatusBadge status={node.currentDeploymentStatus} />
      </div>
      {node.deploymentIssue && (
        <div className="cell-line">
          <DeploymentIssue />
        </div>
      )}
    </>
  );
}

export const DeploymentIssue = () => <span className="status-badge status-bad">Deployment issue</span>;

/** NOD-07 */
export function AwaitingCell({ record: { node, isAwaiting } }: { record: NodeRecord }) {
  if (!isAwaiting) return <No />;
  return (
    <div title={`From ${formatDateTime(node.newDeploymentStatusUpdateTimestamp, node.timezone ?? "UTC")} on`}>
      <div className="cell-line">
        <span className="status-badge status-warn">Awaiting</span>
      </div>
      <div className="cell-line">
        <NextStatusCapsule status={node.newDeploymentStatus} />
      </div>
    </div>
  );
}

export function PlaceCell({ record: { node, place } }: { record: NodeRecord }) {
  if (!node.isAssigned) return <NoPlace lastKnown={place} />;
  const rest = [node.facilityName, node.locationName].filter(Boolean).join(" / ");
  return (
    <div title={node.customerCode === "" ? place : `${place} (${node.customerCode})`}>
      <div className="cell-line">
        <span className="place-customer">{node.customerName}</span>
        {node.customerCode !== "" && <span className="dim place-code">{node.customerCode}</span>}
      </div>
      <div className="cell-line place dim">{rest}</div>
    </div>
  );
}

const No = () => (
  <span className="dim" aria-label="no">
    –
  </span>
);

export function Tick({ isOn, label }: { isOn: boolean; label: string }) {
  return isOn ? <LabelledIcon icon={IconCheck} label={label} className="good" /> : <No />;
}

export function TypeCell({ record: { node } }: { record: NodeRecord }) {
  return <>{nodeTypeLabels[node.type as NodeType] ?? node.type}</>;
}

/** NOD-06 */
export function ActionsCell({ record, actions }: { record: NodeRecord; actions: NodeActions }) {
  const { serial, node } = record;
  const tabIndex = useRowTab();
  const isAtLocation = node.isAssigned && node.locationId !== null;
  const EditIcon = isAtLocation ? IconMapPin : IconCpu;
  const editLabel = isAtLocation ? `Edit location of ${serial}` : `Edit node ${serial}`;
  return (
    <div className="cell-line row-actions">
      <button
        type="button"
        tabIndex={tabIndex}
        className="plain-button row-action"
        aria-label={editLabel}
        onClick={() => editRecord(record, actions)}
      >
        <EditIcon size={18} aria-hidden />
      </button>
      <button
        type="button"
        tabIndex={tabIndex}
        className="plain-button row-action"
        aria-label={`Edit node config of ${serial}`}
        onClick={() => actions.onEditConfig(serial)}
      >
        <IconAdjustments size={18} aria-hidden />
      </button>
      <a tabIndex={tabIndex} className="row-action" href={`#/nodes/${serial}/tasks`} aria-label={`Tasks of ${serial}`}>
        <IconChecklist size={18} aria-hidden />
      </a>
      {node.deploymentTaskType !== null && <span className="status-badge status-info">{node.deploymentTaskType}</span>}
    </div>
  );
}
