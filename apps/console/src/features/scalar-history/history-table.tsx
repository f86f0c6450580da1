import type { ScalarHistoryRow } from "@busbar/contract/scalar-history.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { historyColumns } from "./history-columns.ts";

const rowHeight = 26;

export function HistoryTable({ rows, timezone }: { rows: ScalarHistoryRow[]; timezone: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 10 });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <div className="history-scroller" ref={scroller} tabIndex={0} role="region" aria-label="Scalar history table">
      <table className="history-table mono" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {historyColumns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {items.map(({ index }) => {
            const row = rows[index];
            return row && <HistoryRow key={row.timestamp} row={row} index={index} timezone={timezone} />;
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

function HistoryRow({ row, index, timezone }: { row: ScalarHistoryRow; index: number; timezone: string }) {
  return (
    <tr aria-rowindex={index + 2}>
      {historyColumns.map(({ label, text }) => (
        <td key={label}>{text(row, timezone)}</td>
      ))}
    </tr>
  );
}
