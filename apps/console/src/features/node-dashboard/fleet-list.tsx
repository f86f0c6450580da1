import { memo, useRef } from "react";
import { useRowWindow } from "#ui/row-window.ts";
import { DatafileCell } from "./datafile-cell.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetListProps {
  store: FleetStore;
  records: FleetRecord[];
  onOpenHistory: (record: FleetRecord) => void;
}

const itemHeight = 168;

/** The same facts on a narrow screen. */
export function FleetList({ store, records, onOpenHistory }: FleetListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, totalHeight } = useRowWindow({
    count: records.length,
    rowHeight: itemHeight,
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
                className="list-item fleet-item"
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={records.length}
                aria-posinset={index + 1}
              >
                <FleetItem store={store} record={record} onOpenHistory={onOpenHistory} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

interface FleetItemProps {
  store: FleetStore;
  record: FleetRecord;
  onOpenHistory: (record: FleetRecord) => void;
}

const FleetItem = memo(function FleetItem({ store, record, onOpenHistory }: FleetItemProps) {
  const node = useFleetNode(store, record);
  return (
    <>
      <NodeCell node={node} />
      <ScalarCell node={node} onOpenHistory={() => onOpenHistory(record)} />
      <DatafileCell node={node} />
      <div className="cell-line item-foot">
        <span>
          <span className="dim">Events </span>
          <EventsCell node={node} />
        </span>
        <MeteringCell node={node} />
      </div>
    </>
  );
});
