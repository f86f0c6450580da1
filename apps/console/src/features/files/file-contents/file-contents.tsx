import type { FileContents as Contents } from "@busbar/contract/files/node-files.ts";
import { Anchor, Group } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import { isNotFound } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { formatBytes } from "#lib/format-number.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { FileStatus } from "#ui/file-status.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { RawText } from "#ui/raw-text.tsx";
import { FileActions } from "./file-actions.tsx";
import { useFileContents } from "./file-contents.queries.ts";
import { oneSecondSeries, type OneSecondSeries } from "./one-second-series.ts";

export interface FileContentsProps {
  fileName: string;
  /** Draws the series of a one-second file. */
  renderPlot: (series: OneSecondSeries, timezone: string) => ReactNode;
}

/** FIL-06 */
export function FileContents({ fileName, renderPlot }: FileContentsProps) {
  const asked = useFileContents(fileName);
  // What is no name at all has no node either.
  const missing = isNotFound(asked.error)
    ? { others: <Anchor href={`#/node-dashboard/${fileName.slice(0, 5)}/files`}>Files of this node</Anchor> }
    : undefined;
  return (
    <Loaded of={asked} loading={<LoadingRows label="Loading the file" rows={10} height={24} />} missing={missing}>
      {(file) => <Shown file={file} renderPlot={renderPlot} />}
    </Loaded>
  );
}

function Shown({ file, renderPlot }: { file: Contents; renderPlot: FileContentsProps["renderPlot"] }) {
  const { fileName, fileContents, contentsLength, isTruncated, timezone, kind, serialNumber, timestamp } = file;
  const zone = timezone ?? "UTC";
  const series = useMemo(() => (kind === "S" && fileContents !== null ? oneSecondSeries(fileContents) : undefined), [kind, fileContents]);
  return (
    <>
      <Facts>
        <Fact name="Location">{file.location || "–"}</Fact>
        <Fact name="File name">
          <span className="mono">{fileName}</span>
          <CopyButton text={fileName} label={`Copy ${fileName}`} />
        </Fact>
        <Fact name="Timestamp">
          <span className="mono">{timestamp}</span>
        </Fact>
        <Fact name="Date and time">
          <DateTime timestamp={timestamp} timezone={timezone} />
        </Fact>
        <Fact name="Status">
          <FileStatus processed={file.processed} />
        </Fact>
        <Fact name="Failed reason">{file.failedReason ? <span className="bad">{file.failedReason}</span> : "–"}</Fact>
        <Fact name="Received">{formatDateTime(file.receivedTimestamp, zone)}</Fact>
        <Fact name="Size">
          {formatBytes(file.size)} packed{contentsLength === null ? "" : `, ${formatBytes(contentsLength)} of contents`}
        </Fact>
      </Facts>
      <FileActions fileName={fileName} />
      <Group gap="md" component="nav" aria-label="Of this file" my="sm">
        <Anchor href={`#/node-dashboard/${serialNumber}/files?dataInterval=${file.interval || 900}&scrollPos=${timestamp}&kinds=${kind}`}>
          Files of node {serialNumber}
        </Anchor>
        {kind === "E" && <Anchor href={`#/activity/eventfiles/${fileName}`}>Event of this file</Anchor>}
        {kind === "D" && file.processed && (
          <Anchor href={`#/node-dashboard/${serialNumber}/sensordata/${timestamp}/current`}>Sensor data of this file</Anchor>
        )}
      </Group>
      {series && series.times.length > 1 && (
        <section aria-label="Plot">
          <h2 className="section-title">One-second samples, times in {zone}</h2>
          {renderPlot(series, zone)}
        </section>
      )}
      <h2 className="section-title">Raw file text</h2>
      {isTruncated && (
        <Notice kind="warning">
          {contentsLength === null
            ? "The file could not be unpacked as a whole; what could be read is shown."
            : `The first 1 MB of ${formatBytes(contentsLength)} is shown. Download the file to read the rest.`}
        </Notice>
      )}
      {fileContents === null ? <EmptyState title="The stored bytes of this file cannot be read." /> : null}
      {fileContents === "" ? <EmptyState title="The file is empty." /> : null}
      {fileContents ? <RawText text={fileContents} label={`Text of ${fileName}`} /> : null}
    </>
  );
}
