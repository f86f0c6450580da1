import type { CSSProperties, ReactNode } from "react";
import type { Column } from "./column.ts";
import { DataTable } from "./data-table.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import "./grid.css";
import "./loading.css";

// What is shown where rows, a form or a plot will be, in their form and height, so that nothing shifts when they come.

function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="loading-place" aria-busy="true">
      <output className="visually-hidden">{label}</output>
      <div className="loading" aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

const counts = (length: number) => Array.from({ length }, (_, index) => index);
const lineHeight = 20;
const wordsOfLine = 3;

export interface LoadingRowsProps {
  label: string;
  rows?: number;
  /** Pixels of a row. */
  height: number;
  /** Pixels of a row on a narrow screen, where it has several lines. */
  narrowHeight?: number;
  /** Over the rows comes a line that counts them. */
  hasCount?: boolean;
  /** The rows come in a frame that scrolls: of a `Grid`, of a table with heads on a wide screen only, or of a list. */
  frame?: "grid" | "table" | "list";
}

export function LoadingRows({ label, rows = 8, height, narrowHeight = height, hasCount = false, frame }: LoadingRowsProps) {
  const isNarrow = useIsNarrow();
  const rowHeight = isNarrow ? narrowHeight : height;
  const lines = counts(Math.max(1, Math.floor((rowHeight - 4) / lineHeight)));
  return (
    <Loading label={label}>
      {hasCount && <div className="list-count" />}
      {frame === "grid" && isNarrow && <div className="sort-select loading-sort" />}
      <div className={frame && "loading-frame"}>
        {(frame === "grid" || frame === "table") && !isNarrow && <div className="loading-row loading-head" />}
        {counts(rows).map((row) => (
          <div key={row} className="loading-row" style={{ height: rowHeight }}>
            {lines.map((line) => (
              <div key={line} className="loading-line">
                {counts(wordsOfLine).map((word) => (
                  <span key={word} className="loading-word" />
                ))}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}

const loadingWord = () => <span className="loading-word" />;

export interface LoadingTableProps<Row, On> {
  label: string;
  columns: readonly Column<Row, On>[];
  rows?: number;
  /** Lines of the first cell. */
  lines?: number;
  /** Each row has a line below it over its whole width. */
  hasDetail?: boolean;
}

/** Where a `DataTable` will be. */
export function LoadingTable<Row, On>({ label, columns, rows = 8, lines = 1, hasDetail = false }: LoadingTableProps<Row, On>) {
  const words = columns.map(({ label, only }): Column<number> => ({ label, ...(only ? { only } : {}), text: () => "", cell: loadingWord }));
  return (
    <Loading label={label}>
      <DataTable
        columns={words}
        rows={counts(rows)}
        keyOf={(row) => row}
        detail={() => hasDetail && "\u00a0"}
        rowProps={() => ({ className: "loading-cells", style: { "--lines": lines } as CSSProperties })}
      />
    </Loading>
  );
}

/** Where the fields of a form will be. */
export function LoadingForm({ label, fields = 4 }: { label: string; fields?: number }) {
  return (
    <Loading label={label}>
      {counts(fields).map((field) => (
        <div key={field} className="loading-field">
          <span className="loading-word" />
          <div className="loading-frame" />
        </div>
      ))}
    </Loading>
  );
}

/** Where plots will be, one below the other. */
export function LoadingPlot({ label, plots = 1, height }: { label: string; plots?: number; height: number }) {
  return (
    <Loading label={label}>
      {counts(plots).map((plot) => (
        <div key={plot} className="loading-plot" style={{ height }} />
      ))}
    </Loading>
  );
}
