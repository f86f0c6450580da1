import type { ScalarHistoryRow } from "@busbar/contract/scalar-history.ts";
import { useRef } from "react";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { historyColumns } from "./history-columns.ts";

const rowHeight = 26;

export function HistoryTable({ rows, timezone }: { rows: ScalarHistoryRow[]; timezone: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows: inSight, gapAfter } = useRowWindow({ count: rows.length, rowHeight, scroller, overscan: 10 });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="history-scroller" ref={scroller} tabIndex={0} aria-label="Scalar history table">
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
          <GapRow height={inSight[0]?.gapBefore ?? 0} />
          {inSight.map(({ index }) => {
            const row = rows[index];
            return row && <HistoryRow key={row.timestamp} row={row} index={index} timezone={timezone} />;
          })}
          <GapRow height={gapAfter} />
        </tbody>
      </table>
    </section>
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
