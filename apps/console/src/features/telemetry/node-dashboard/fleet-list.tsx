import { memo } from "react";
import { ItemList } from "#ui/item-list.tsx";
import { DatafileCell } from "./datafile-cell.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import { EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetListProps {
  store: FleetStore;
  records: FleetRecord[];
  onOpenHistory: (record: FleetRecord) => void;
}

export function FleetList({ store, records, onOpenHistory }: FleetListProps) {
  return (
    <ItemList
      label="Nodes"
      items={records}
      keyOf={({ serial }) => serial}
      itemHeight={168}
      renderItem={(record) => <FleetItem store={store} record={record} onOpenHistory={onOpenHistory} />}
    />
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
