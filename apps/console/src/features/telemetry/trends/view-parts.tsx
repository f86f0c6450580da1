import type { SeriesName } from "@busbar/contract/telemetry/trends.ts";
import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { PrintButton, SaveCsvButton } from "#ui/file-buttons.tsx";
import { Loaded, type Asked } from "#ui/loaded.tsx";
import { LoadingPlot } from "#ui/loading.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { quantityName } from "./trend-words.ts";
import type { TimeSpan } from "./zone-time.ts";

export type NamedSeries = SeriesName & { machine: string };

export interface OneSeriesProps {
  series: NamedSeries;
  span: TimeSpan;
}

export const nameOf = (series: NamedSeries): string => `${series.machine} · ${quantityName(series)}`;
export const withUnit = (name: string, unit: string): string => (unit === "" ? name : `${name} (${unit})`);

interface AnswerProps<Data> {
  title: string;
  answer: Asked<Data>;
  isEmpty: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
}

/** An answer under its heading, or why there is none. */
export function Answer<Data>({ title, answer, isEmpty, children }: AnswerProps<Data>) {
  return (
    <section aria-label={title} className="trend-view">
      <h2 className="section-title">{title}</h2>
      <Loaded of={answer} loading={<LoadingPlot label={`Loading ${title}`} height={230} />}>
        {(data) => (isEmpty(data) ? <EmptyState title="There is no data of this time." /> : children(data))}
      </Loaded>
    </section>
  );
}

interface ViewToolsProps<Row> {
  /** Of the file. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** What a view shows, as a file or on paper. */
export function ViewTools<Row>({ name, columns, rows }: ViewToolsProps<Row>) {
  return (
    <Group gap="xs" className="no-print">
      <SaveCsvButton size="compact-sm" onClick={() => saveRows(`${name}.csv`, columns, rows)} />
      <PrintButton size="compact-sm" />
    </Group>
  );
}

export const fileName = (view: string, { serialNumber, quantity }: SeriesName): string => `${view}-${serialNumber}-${quantity}`;
