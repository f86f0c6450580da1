import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { useMemo, useRef } from "react";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { historyColumns } from "./history-columns.ts";

const rowHeight = 26;

export interface HistoryTableProps {
  rows: readonly ScalarHistoryRow[];
  /** Those of the shown time. */
  notes: readonly PlotNote[];
  timezone: string;
}

type Line = { kind: "scalar"; time: number; row: ScalarHistoryRow } | { kind: "note"; time: number; note: PlotNote };

export function HistoryTable({ rows, notes, timezone }: HistoryTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(rows, notes), [rows, notes]);
  const { rows: inSight, gapAfter } = useRowWindow({ count: lines.length, rowHeight, scroller, overscan: 10 });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="history-scroller" ref={scroller} tabIndex={0} aria-label="Scalar history table">
      <table className="history-table mono" aria-rowcount={lines.length + 1}>
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
            const line = lines[index];
            if (!line) return null;
            if (line.kind === "note") return <NoteRow key={`note ${line.note.id}`} note={line.note} index={index} timezone={timezone} />;
            return <HistoryRow key={line.time} row={line.row} index={index} timezone={timezone} />;
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

function NoteRow({ note, index, timezone }: { note: PlotNote; index: number; timezone: string }) {
  return (
    <tr aria-rowindex={index + 2} className="history-note">
      <td>{formatDateTime(note.timestamp, timezone)}</td>
      <td colSpan={historyColumns.length - 1} title={note.note}>
        Note: {note.note}
      </td>
    </tr>
  );
}

/** Scalars and notes, newest first. */
function linesOf(rows: readonly ScalarHistoryRow[], notes: readonly PlotNote[]): Line[] {
  const lines: Line[] = rows.map((row) => ({ kind: "scalar", time: row.timestamp, row }));
  if (notes.length === 0) return lines;
  return [...lines, ...notes.map((note): Line => ({ kind: "note", time: note.timestamp, note }))].toSorted((a, b) => b.time - a.time);
}
