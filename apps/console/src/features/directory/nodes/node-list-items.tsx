import { memo } from "react";
import { ItemList } from "#ui/item-list.tsx";
import { NextStatusCapsule } from "#ui/status-badge.tsx";
import { ActionsCell, PlaceCell, SerialCell, StatusCell, TypeCell } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import type { NodeRecord } from "./node-list-view.ts";

export interface NodeItemsProps {
  records: NodeRecord[];
  hasAllColumns: boolean;
  actions: NodeActions;
}

const compactHeight = 168;
const wholeHeight = 228;
export const nodeItemHeight = (hasAllColumns: boolean): number => (hasAllColumns ? wholeHeight : compactHeight);

export function NodeItems({ records, hasAllColumns, actions }: NodeItemsProps) {
  return (
    <ItemList
      label="Nodes"
      items={records}
      keyOf={({ serial }) => serial}
      itemHeight={nodeItemHeight(hasAllColumns)}
      renderItem={(record) => <NodeItem record={record} hasAllColumns={hasAllColumns} actions={actions} />}
    />
  );
}

const flags = [
  ["notifyOnConnect", "On Connect"],
  ["notifyOnCurrentAboveNoise", "On Current"],
  ["showRawPower", "Raw Power"],
] as const;
const phases = ["Va", "Vb", "Vc", "Ia", "Ib", "Ic"] as const;

const NodeItem = memo(function NodeItem({ record, hasAllColumns, actions }: { record: NodeRecord } & Omit<NodeItemsProps, "records">) {
  const { node, isAwaiting } = record;
  const on = flags.filter(([name]) => node[name]).map(([, label]) => label);
  return (
    <>
      <div className="cell-line">
        <SerialCell record={record} />
      </div>
      <div className="cell-line">
        <StatusCell record={record} />
      </div>
      {isAwaiting && (
        <div className="cell-line">
          <span className="status-badge status-warn">Awaiting</span>
          <NextStatusCapsule status={node.newDeploymentStatus} />
        </div>
      )}
      <PlaceCell record={record} />
      <div className="cell-line dim">{[`Every ${node.dataPointInterval} s`, ...on].join(", ")}</div>
      {hasAllColumns && (
        <>
          <div className="cell-line">
            <TypeCell record={record} />, name plate {node.nameplateValid ? "valid" : "not valid"},
            <span className="ellipsis" title={node.container}>
              {node.container || "no container"}
            </span>
          </div>
          <div className="cell-line dim">
            V ≤ {node.voltageImbalanceThreshold} / {node.voltageThdThreshold} / {node.overVoltageThreshold}, I ≤{" "}
            {node.currentImbalanceThreshold} / {node.currentThdThreshold} / {node.shortTermOverCurrentThreshold} (imbalance / THD / level)
          </div>
          <div className="cell-line dim">Phases {phases.filter((phase) => node[`active${phase}`]).join(" ") || "none"}</div>
        </>
      )}
      <ActionsCell record={record} actions={actions} />
    </>
  );
});
