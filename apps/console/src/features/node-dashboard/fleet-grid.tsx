import { Fragment, memo, useRef, useState } from "react";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { useGridKeyboard } from "#ui/use-grid-keyboard.ts";
import { FocusedNodeTimes, GridKeys } from "./grid-foot.tsx";
import { DatafileCell } from "./datafile-cell.tsx";
import { EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import type { SortKey } from "./fleet-criteria.ts";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetGridProps {
  store: FleetStore;
  records: FleetRecord[];
  sort: SortKey;
  isDescending: boolean;
  onSort: (key: SortKey) => void;
  onOpenHistory: (record: FleetRecord) => void;
}

const rowHeight = 50;
const headerHeight = 36;

// DSH-06
const columns: { label: string; sort?: SortKey }[] = [
  { label: "Node", sort: "node" },
  { label: "Last Scalar Stream", sort: "scalar" },
  { label: "Last Datafile", sort: "datafile" },
  { label: "Events" },
  { label: "Metering" },
];

/** The table, with only the rows in sight in the page. */
export function FleetGrid({ store, records, sort, isDescending, onSort, onOpenHistory }: FleetGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeSerial, setActiveSerial] = useState<string | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const activeIndex = indexOfSerial(records, activeSerial);
  const { rows, gapAfter, scrollTo } = useRowWindow({
    count: records.length,
    rowHeight,
    scroller,
    overscan: 8,
    headerHeight,
    keyOf: (index) => records[index]?.serial ?? index,
    keptIndex: isFocused ? activeIndex : undefined,
  });
  const handlers = useGridKeyboard({
    count: records.length,
    activeIndex,
    rowHeight,
    scroller,
    scrollTo,
    onActive: (index) => setActiveSerial(records[index]?.serial),
    onFocused: setIsFocused,
    onOpen: (index) => {
      const record = records[index];
      if (record) onOpenHistory(record);
    },
  });
  const focused = isFocused ? records[activeIndex] : undefined;

  return (
    <>
      <div className="fleet-scroller" ref={scroller}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the keyboard is a grid */}
        <table className="fleet-table" role="grid" aria-label="Nodes" aria-rowcount={records.length + 1} {...handlers}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <HeaderCell
                  key={column.label}
                  column={column}
                  isSorted={column.sort === sort}
                  isDescending={isDescending}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, gapBefore }) => {
              const record = records[index];
              return (
                record && (
                  <Fragment key={record.serial}>
                    <GapRow height={gapBefore} />
                    <FleetRow store={store} record={record} index={index} isActive={index === activeIndex} onOpenHistory={onOpenHistory} />
                  </Fragment>
                )
              );
            })}
            <GapRow height={gapAfter} />
          </tbody>
        </table>
      </div>
      <div className="grid-foot tabular no-print">{focused ? <FocusedNodeTimes store={store} record={focused} /> : <GridKeys />}</div>
    </>
  );
}

/** The active row is remembered by its node, so it stays the same node when the list reorders; at first it is the first. */
function indexOfSerial(records: FleetRecord[], serial: string | undefined): number {
  return serial === undefined
    ? 0
    : Math.max(
        0,
        records.findIndex((record) => record.serial === serial),
      );
}

interface HeaderCellProps {
  column: { label: string; sort?: SortKey };
  isSorted: boolean;
  isDescending: boolean;
  onSort: (key: SortKey) => void;
}

function HeaderCell({ column: { label, sort }, isSorted, isDescending, onSort }: HeaderCellProps) {
  if (!sort) return <th scope="col">{label}</th>;
  return (
    <th scope="col" aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" className="plain-button sort-button" onClick={() => onSort(sort)}>
        {label} <span aria-hidden="true">{isSorted ? (isDescending ? "▼" : "▲") : ""}</span>
      </button>
    </th>
  );
}

interface FleetRowProps {
  store: FleetStore;
  record: FleetRecord;
  index: number;
  isActive: boolean;
  onOpenHistory: (record: FleetRecord) => void;
}

const FleetRow = memo(function FleetRow({ store, record, index, isActive, onOpenHistory }: FleetRowProps) {
  const node = useFleetNode(store, record);
  return (
    <tr className={`grid-row${index % 2 === 1 ? " is-odd" : ""}`} aria-rowindex={index + 2} data-row={index} tabIndex={isActive ? 0 : -1}>
      <td>
        <NodeCell node={node} />
      </td>
      <td>
        <ScalarCell node={node} onOpenHistory={() => onOpenHistory(record)} />
      </td>
      <td>
        <DatafileCell node={node} />
      </td>
      <td>
        <EventsCell node={node} />
      </td>
      <td>
        <MeteringCell node={node} />
      </td>
    </tr>
  );
});
