import type { EventFile as File, EventKind } from "@busbar/contract/files/event-files.ts";
import type { ReactNode } from "react";
import { Anchor } from "@mantine/core";
import { isNotFound } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { formatBytes } from "#lib/format-number.ts";
import { visibleText } from "#lib/visible-text.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { FileStatus } from "#ui/file-status.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { RawText } from "#ui/raw-text.tsx";
import { useEventFile, type TimeRange } from "./event-files.queries.ts";
import { WaveformSection } from "./waveform-section.tsx";
import "#ui/status-badge.css";
import { NodeLink } from "#ui/node-link.tsx";
import "./event-files.css";

export interface EventFileProps {
  fileName: string;
  range: TimeRange | undefined;
  onRange: (range: TimeRange | undefined) => void;
  /** What one can do with any file. */
  actions: ReactNode;
}

/** FEE-04 */
export function EventFile({ fileName, range, onRange, actions }: EventFileProps) {
  const asked = useEventFile(fileName);
  // What is no name at all has no node either.
  const missing = isNotFound(asked.error)
    ? { others: <Anchor href={`#/node-dashboard/${fileName.slice(0, 5)}/files?kinds=E`}>Event files of this node</Anchor> }
    : undefined;
  return (
    <Loaded of={asked} loading={<LoadingRows label="Loading the event file" rows={10} height={24} />} missing={missing}>
      {(file) => (
        <>
          <FileFacts file={file} />
          <FileProblems file={file} />
          {actions}
          <FileLabels file={file} />
          {file.waveform && <WaveformSection fileName={fileName} waveform={file.waveform} range={range} onRange={onRange} />}
          <FileText file={file} />
        </>
      )}
    </Loaded>
  );
}

/** What could not be read of it. */
export function FileProblems({ file: { problem, warnings } }: { file: File }) {
  return (
    <>
      {problem !== null && <Notice kind="warning">{visibleText(problem)}.</Notice>}
      {warnings.map((warning) => (
        <Notice key={warning} kind="validation">
          {visibleText(warning)}.
        </Notice>
      ))}
    </>
  );
}

const kindBadges: Record<EventKind, { label: string; look: string }> = {
  trip: { label: "Trip", look: "bad" },
  alarm: { label: "Alarm", look: "warn" },
  event: { label: "Recording", look: "info" },
};
const formatLabels: Record<File["format"], string> = {
  COMTRADE: "COMTRADE",
  CEV: "SEL compressed event (CEV)",
  EVE: "SEL event report",
  text: "Text",
  archive: "Archive",
};

function FileFacts({ file }: { file: File }) {
  const { fileName, serialNumber, timestamp, timezone, partner, contentsLength, eventKind } = file;
  const { label, look } = kindBadges[eventKind];
  return (
    <Facts>
      <Fact name="File name">
        <span className="mono">{fileName}</span>
        <CopyButton text={fileName} label={`Copy ${fileName}`} />
      </Fact>
      <Fact name="Node">
        <NodeLink serial={serialNumber} /> <a href={`#/node-dashboard/${serialNumber}/files?kinds=E&scrollPos=${timestamp}`}>Event files</a>
      </Fact>
      <Fact name="Location">{file.location || "–"}</Fact>
      <Fact name="Date and time">
        <DateTime timestamp={timestamp} timezone={timezone} /> <span className="dim">{timezone ?? "UTC"}</span>
      </Fact>
      <Fact name="Event">
        <span className={`status-badge status-${look}`}>{label}</span>
      </Fact>
      <Fact name="Format">{formatLabels[file.format]}</Fact>
      <Fact name="Status">
        <FileStatus processed={file.processed} />
      </Fact>
      <Fact name="Failed reason">{file.failedReason ? <span className="bad">{file.failedReason}</span> : "–"}</Fact>
      <Fact name="Received">{formatDateTime(file.receivedTimestamp, timezone ?? "UTC")}</Fact>
      <Fact name="Size">
        {formatBytes(file.size)} packed{contentsLength === null ? "" : `, ${formatBytes(contentsLength)} of contents`}
      </Fact>
      {partner && (
        <Fact name={partner.fileName.endsWith(".dat") ? "Data" : "Configuration"}>
          {partner.isStored ? (
            <a className="mono" href={`#/activity/eventfiles/${partner.fileName}`}>
              {partner.fileName}
            </a>
          ) : (
            <span className="bad">{partner.fileName} has not come</span>
          )}
        </Fact>
      )}
    </Facts>
  );
}

export function FileLabels({ file: { labels } }: { file: File }) {
  return (
    <>
      <h2 className="section-title">What the file says</h2>
      {labels.length === 0 && <p className="dim">The file has no readable description.</p>}
      {labels.length > 0 && (
        <Facts>
          {labels.map(({ name, value }) => (
            <Fact key={name} name={visibleText(name)}>
              {visibleText(value)}
            </Fact>
          ))}
        </Facts>
      )}
    </>
  );
}

export function FileText({ file: { fileName, fileContents, contentsLength, isTruncated } }: { file: File }) {
  return (
    <>
      <h2 className="section-title">Raw file text</h2>
      {isTruncated && (
        <Notice kind="warning">
          {contentsLength === null
            ? "The file could not be unpacked as a whole; what could be read is shown."
            : `The first 1 MB of ${formatBytes(contentsLength)} is shown. Download the file to read the rest.`}
        </Notice>
      )}
      {fileContents === null && <EmptyState title="The stored bytes of this file cannot be read." />}
      {fileContents === "" && <EmptyState title="The file is empty." />}
      {fileContents ? <RawText text={fileContents} label={`Text of ${fileName}`} /> : null}
    </>
  );
}
