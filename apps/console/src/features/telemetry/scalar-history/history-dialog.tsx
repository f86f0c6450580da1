import { counted } from "@busbar/contract/values/counted.ts";
import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { Button, Group } from "@mantine/core";
import { IconChartLine, IconPhoto } from "@tabler/icons-react";
import { useMemo, useRef } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { savePlotsAsPng } from "#lib/save-plots.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingPlot, LoadingRows } from "#ui/loading.tsx";
import { LongTable } from "#ui/long-table.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { rangeAround, trendsOf } from "#ui/trends-link.ts";
import { historyColumns, historyLines } from "./history-columns.ts";
import { panelsOf } from "./history-series.ts";
import { useScalarHistory } from "./scalar-history.queries.ts";
import "./scalar-history.css";

const HistoryPlot = lazyPart(() => import("./history-plot.tsx"), "HistoryPlot");

export interface HistoryDialogProps {
  serial: string;
  /** The location's zone; null for a node at no location. */
  timezone: string | null;
  /** Of the node's location (NOT-06: without their details). */
  notes: readonly PlotNote[];
  /** Epoch seconds: an earlier time is looked at, not the present. */
  before?: number | undefined;
  onClose: () => void;
}

const halfHour = 1_800;

/** DSH-11 */
export function HistoryDialog({ serial, timezone, notes, before, onClose }: HistoryDialogProps) {
  const zone = timezone ?? "UTC";
  const asked = useScalarHistory(serial, before);
  const { data } = asked;
  const plots = useRef<HTMLDivElement>(null);
  const { times, panels } = useMemo(() => panelsOf(data ?? []), [data]);
  const shownNotes = useMemo(() => notesWithin(notes, times), [notes, times]);
  const columns = historyColumns(zone);
  const lines = useMemo(() => historyLines(data ?? [], shownNotes), [data, shownNotes]);
  const saveCsv = () => saveRows(`scalars-${serial}.csv`, columns, historyLines(data ?? [], []));

  return (
    <Dialog
      title={
        before === undefined ? `Recent scalar history for ${serial}` : `Scalar history for ${serial} until ${formatDateTime(before, zone)}`
      }
      onClose={onClose}
    >
      <Loaded of={asked} loading={<LoadingRows label="Loading the history" rows={6} height={26} />} />
      {data?.length === 0 && <EmptyState title="No scalar of this node is stored. It has not sent one within the days that are kept." />}
      {data && data.length > 0 && (
        <>
          <Group justify="space-between" mb="xs" gap="xs">
            <span className="dim">
              {counted(data.length, "scalar")}
              {before === undefined && ", refreshed every 10 s"}. Newest first, times in {zone}.
            </span>
            <Group gap="xs" className="no-print">
              <Button
                component="a"
                variant="default"
                size="compact-sm"
                leftSection={<IconChartLine size={14} aria-hidden />}
                href={trendsOf([serial], { range: before === undefined ? "24h" : rangeAround(before - halfHour, halfHour) })}
              >
                Trends
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPhoto size={14} aria-hidden />}
                onClick={() => plots.current && savePlotsAsPng(plots.current, `scalars-${serial}.png`)}
              >
                Save plot
              </Button>
              <SaveCsvButton size="compact-sm" onClick={saveCsv} />
            </Group>
          </Group>
          <div className="history-body">
            <div ref={plots}>
              <ProgramPart loading={<LoadingPlot label="Loading the plot" plots={3} height={170} />}>
                <HistoryPlot times={times} panels={panels} notes={shownNotes} timezone={zone} />
              </ProgramPart>
            </div>
            <LongTable
              className="history-table mono"
              label="Scalar history table"
              columns={columns}
              rows={lines}
              keyOf={({ timestamp, note }) => (note ? `note ${note.id}` : timestamp)}
              rowHeight={26}
              note={({ note }) => note && `Note: ${note.note}`}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}

function notesWithin(notes: readonly PlotNote[], times: readonly number[]): PlotNote[] {
  const [first, last] = [times[0] ?? Infinity, times.at(-1) ?? -Infinity];
  return notes.filter(({ timestamp }) => timestamp >= first && timestamp <= last);
}
