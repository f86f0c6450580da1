import type { RawMetering } from "@busbar/contract/telemetry/metering.ts";
import { Group } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useRawMetering } from "./metering.queries.ts";

export const rawColumns = (timezone: string): Column<RawMetering["metrics"][number]>[] => [
  { label: "Metric", text: ({ name }) => name, isRowHead: true },
  { label: "Value", text: ({ value }) => (value === null ? "" : String(value)), cell: ({ value }) => value ?? "–" },
  { label: "Unit", text: ({ unit }) => unit },
  {
    label: "Age",
    text: ({ timestamp }) => (timestamp === null ? "" : formatDateTime(timestamp, timezone)),
    cell: ({ value, timestamp }) => (value === null || timestamp === null ? "" : <TimeAgo timestamp={Math.floor(timestamp)} />),
    file: { label: "Time" },
  },
];

/** MET-06: what the node last reported, unrounded and by its own names. */
export function RawDialog({ serial, timezone, onClose }: { serial: string; timezone: string; onClose: () => void }) {
  const asked = useRawMetering(serial);
  const { data } = asked;
  const saveCsv = () => saveRows(`metering-${serial}.csv`, rawColumns(timezone), data?.metrics ?? []);
  return (
    <Dialog title={`Raw metering of ${serial}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the raw metering" rows={8} height={26} />} />
      {data && (
        <>
          <Group justify="space-between" mb="xs" gap="xs">
            <span className="dim">
              {data.connectedStatus}, refreshed every 2 s. Times in {timezone}.
            </span>
            <SaveCsvButton size="compact-sm" onClick={saveCsv} />
          </Group>
          {data.lastScalarData !== "" && (
            <p className="meter-raw-line mono">
              {data.lastScalarData} <CopyButton text={data.lastScalarData} label="Copy the last scalar" />
            </p>
          )}
          <DataTable className="meter-raw mono" columns={rawColumns(timezone)} rows={data.metrics} keyOf={({ name }) => name} isMatrix />
        </>
      )}
    </Dialog>
  );
}
