import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useRef } from "react";
import { DatafileCell, EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetListProps {
  store: FleetStore;
  records: FleetRecord[];
  onOpenHistory: (record: FleetRecord) => void;
}

const itemHeight = 152;

/** The same facts on a narrow screen. */
export function FleetList({ store, records, onOpenHistory }: FleetListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => itemHeight,
    overscan: 4,
    getItemKey: (index) => records[index]?.serial ?? index,
  });
  return (
    <div className="fleet-scroller" ref={scroller}>
      <ul className="fleet-list" aria-label="Nodes" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const record = records[index];
          return (
            record && (
              <li key={record.serial} className="fleet-item" style={{ transform: `translateY(${start}px)` }} aria-setsize={records.length} aria-posinset={index + 1}>
                <FleetItem store={store} record={record} onOpenHistory={onOpenHistory} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

const FleetItem = memo(function FleetItem({ store, record, onOpenHistory }: { store: FleetStore; record: FleetRecord; onOpenHistory: (record: FleetRecord) => void }) {
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
