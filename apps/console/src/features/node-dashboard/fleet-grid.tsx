import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { DatafileCell, EventsCell, MeteringCell, NodeCell, ScalarCell } from "./node-cells.tsx";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";
import type { SortKey } from "./fleet-view.ts";
import { useFleetNode } from "./use-fleet.ts";

export interface FleetGridProps {
  store: FleetStore;
  records: FleetRecord[];
  sort: SortKey;
  isDescending: boolean;
  onSort: (key: SortKey) => void;
  onOpenHistory: (record: FleetRecord) => void;
}

export const rowHeight = 50;

// DSH-06
const columns: { label: string; sort?: SortKey }[] = [
  { label: "Node", sort: "node" },
  { label: "Last Scalar Stream", sort: "scalar" },
  { label: "Last Datafile", sort: "datafile" },
  { label: "Events" },
  { label: "Metering" },
];

/** The table, with only the rows in sight in the page; the virtualizer is not for the compiler, so this stays small. */
export function FleetGrid({ store, records, sort, isDescending, onSort, onOpenHistory }: FleetGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => records[index]?.serial ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const [active, onKeyDown] = useActiveRow(records, scroller, (index) => virtualizer.scrollToIndex(index), onOpenHistory);
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);

  return (
    <div className="fleet-scroller" ref={scroller}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the keyboard is a grid */}
      <table className="fleet-table" role="grid" aria-label="Nodes" aria-rowcount={records.length + 1} onKeyDown={onKeyDown}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell key={column.label} column={column} isSorted={column.sort === sort} isDescending={isDescending} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {items.map(({ index }) => {
            const record = records[index];
            return record && <FleetRow key={record.serial} store={store} record={record} index={index} isActive={index === active} onOpenHistory={onOpenHistory} />;
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
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

/** One row is in the tab order; the arrow keys move it. The row keeps the focus by its node when the list reorders. */
function useActiveRow(
  records: FleetRecord[],
  scroller: RefObject<HTMLDivElement | null>,
  scrollTo: (index: number) => void,
  onOpenHistory: (record: FleetRecord) => void,
): [number, (event: KeyboardEvent) => void] {
  const [activeSerial, setActiveSerial] = useState<string | undefined>();
  const found = activeSerial === undefined ? 0 : records.findIndex(({ serial }) => serial === activeSerial);
  const active = Math.max(0, found);

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(records.length - 1, index));
    setActiveSerial(records[target]?.serial);
    scrollTo(target);
    // The row may only now come into the page.
    requestAnimationFrame(() => requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus()));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
    if (!row) return;
    const index = Number(row.dataset["row"]);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: records.length - 1 }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      moveWithin(row, event.key === "ArrowRight" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === row) {
      const record = records[index];
      if (record) onOpenHistory(record);
    }
  }
  return [active, onKeyDown];
}

/** Left and right walk the links and buttons of a row; left of the first is the row itself. */
function moveWithin(row: HTMLElement, step: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>("a, button")];
  const current = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, current + step))]?.focus();
}
