import type { DashboardFile } from "@busbar/contract/files/node-files.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { formatBytes } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { FileStatus } from "#ui/file-status.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { kindLabels } from "./file-kinds.ts";

// FIL-03
export const fileColumns = (timezone: string | null): Column<DashboardFile>[] => [
  {
    label: "Time",
    text: ({ timestamp }) => formatDateTime(timestamp, timezone ?? "UTC"),
    cell: ({ timestamp }) => <DateTime timestamp={timestamp} timezone={timezone} />,
    className: "mono nowrap",
  },
  {
    label: "File",
    text: ({ fileName }) => fileName,
    cell: ({ fileName }) => (
      <>
        <a className="mono" href={`#/node-dashboard/files/${fileName}`}>
          {fileName}
        </a>
        <CopyButton text={fileName} label={`Copy ${fileName}`} />
      </>
    ),
    className: "nowrap",
  },
  { label: "Kind", text: ({ kind }) => kindLabels[kind], cell: (file) => <FileKind file={file} />, className: "nowrap" },
  {
    label: "Status",
    text: ({ failedReason }) => failedReason,
    cell: ({ processed, failedReason }) => (
      <>
        <FileStatus processed={processed} /> {failedReason && <span className="bad">{failedReason}</span>}
      </>
    ),
    className: "file-state",
  },
  { label: "Size", text: ({ size }) => formatBytes(size), className: "tabular nowrap" },
  {
    label: "Received",
    text: ({ receivedTimestamp }) => formatDateTime(receivedTimestamp, timezone ?? "UTC"),
    cell: ({ receivedTimestamp }) => <TimeAgo timestamp={receivedTimestamp} />,
    className: "dim nowrap",
  },
];

/** Leads to what was made of the file. */
function FileKind({ file: { kind, fileName, serialNumber, timestamp } }: { file: DashboardFile }) {
  if (kind === "D") {
    return (
      <a href={`#/node-dashboard/${serialNumber}/sensordata/${timestamp}/current`} aria-label={`Data point of ${fileName}`}>
        {kindLabels[kind]}
      </a>
    );
  }
  if (kind !== "E") return kindLabels[kind];
  return (
    <a href={`#/activity/eventfiles/${fileName}`} aria-label={`Event of ${fileName}`}>
      {kindLabels[kind]}
    </a>
  );
}
