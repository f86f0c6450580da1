import { memo, useRef } from "react";
import { useRowWindow } from "#ui/row-window.ts";
import { NextStatusCapsule } from "#ui/status-badge.tsx";
import { ActionsCell, PlaceCell, SerialCell, StatusCell, TypeCell } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import type { NodeRecord } from "./node-list-view.ts";

export interface NodeItemsProps {
  records: NodeRecord[];
  hasAllColumns: boolean;
  actions: NodeActions;
}

const compactHeight = 152;
const wholeHeight = 204;

/** The same facts on a narrow screen. */
export function NodeItems({ records, hasAllColumns, actions }: NodeItemsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = hasAllColumns ? wholeHeight : compactHeight;
  const { rows, totalHeight } = useRowWindow({
    count: records.length,
    rowHeight: height,
    scroller,
    overscan: 4,
    keyOf: (index) => records[index]?.serial ?? index,
  });
  return (
    <div className="grid-scroller" ref={scroller}>
      <ul className="item-list" aria-label="Nodes" style={{ height: totalHeight }}>
        {rows.map(({ index, start }) => {
          const record = records[index];
          return (
            record && (
              <li
                key={record.serial}
                className="list-item"
                style={{ transform: `translateY(${start}px)`, height }}
                aria-setsize={records.length}
                aria-posinset={index + 1}
              >
                <NodeItem record={record} hasAllColumns={hasAllColumns} actions={actions} />
              </li>
            )
          );
        })}
      </ul>
    </div>
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
        {isAwaiting && (
          <>
            <span className="status-badge status-warn">Awaiting</span>
            <NextStatusCapsule status={node.newDeploymentStatus} />
          </>
        )}
      </div>
      <PlaceCell record={record} />
      <div className="cell-line dim">{[`Every ${node.dataPointInterval} s`, ...on].join(", ")}</div>
      {hasAllColumns && (
        <>
          <div className="cell-line">
            <TypeCell record={record} />, {node.container || "no container"}, name plate {node.nameplateValid ? "valid" : "not valid"}
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
