import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { completenessText, digitsOf, figureText, resolutionText } from "./trend-words.ts";
import { Swatch } from "./swatch.tsx";

/** A series with what is known of its whole range. */
export interface FigureRow {
  key: string;
  name: string;
  unit: string;
  color: string;
  dash: readonly number[];
  series: TrendSeries;
}

type FigureName = "minimum" | "mean" | "maximum" | "percentile95";

const figure = (label: string, name: FigureName): Column<FigureRow> => ({
  label,
  text: ({ series }) => figureText(series.figures[name], digitsOf(series)),
  isRight: true,
  file: { text: ({ series }) => series.figures[name] },
});

export const figureColumns: readonly Column<FigureRow>[] = [
  {
    label: "Series",
    text: ({ name }) => name,
    cell: ({ name, color, dash }) => (
      <>
        <Swatch color={color} dash={dash} /> {name}
      </>
    ),
    isRowHead: true,
  },
  { label: "Node", text: ({ series }) => series.serialNumber, cell: ({ series }) => <NodeLink serial={series.serialNumber} /> },
  { label: "Values", text: ({ series }) => `${resolutionText(series)}, ${completenessText(series.completeness)}` },
  { label: "Unit", text: ({ unit }) => unit },
  figure("Min", "minimum"),
  figure("Mean", "mean"),
  figure("Max", "maximum"),
  figure("95 %", "percentile95"),
  {
    label: "kWh",
    text: ({ series }) => figureText(series.figures.energyKwh, 0),
    isRight: true,
    file: { text: ({ series }) => series.figures.energyKwh },
  },
  {
    label: "Hours run",
    text: ({ series: { figures } }) => figureText(figures.runSeconds === null ? null : figures.runSeconds / 3_600, 1),
    isRight: true,
    file: { text: ({ series: { figures } }) => (figures.runSeconds === null ? null : figures.runSeconds / 3_600) },
  },
  {
    label: "Starts",
    text: ({ series }) => figureText(series.figures.starts, 0),
    isRight: true,
    file: { text: ({ series }) => series.figures.starts },
  },
];

/** Figures of the whole range, a row for each series. */
export function FigureTable({ rows, isOld }: { rows: readonly FigureRow[]; isOld: boolean }) {
  return (
    <div className="table-scroller">
      <DataTable
        aria-label="Figures of the range"
        aria-busy={isOld}
        className="trend-figures tabular"
        columns={figureColumns}
        rows={rows}
        keyOf={({ key }) => key}
      />
    </div>
  );
}
