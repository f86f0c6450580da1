import { counted } from "@busbar/contract/values/counted.ts";
import type { NodeFilesSummary } from "@busbar/contract/files/node-files.ts";
import { Button } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { FileList } from "./file-list.tsx";
import { FileTools } from "./file-tools.tsx";
import { useFileWindow, type FileStart } from "./use-file-window.ts";
import "./node-files.css";

export interface FileBrowserProps {
  summary: NodeFilesSummary;
  /** Letters of kinds, or `all`. */
  kinds: string;
  intervalSeconds: number;
  start: FileStart;
  onKinds: (kinds: string) => void;
  /** Where the list is now, for the address: whoever comes back by it finds the same place. */
  onStart: (start: FileStart) => void;
  downloads: ReactNode;
}

/** FIL-01 to FIL-05 */
export function FileBrowser({ summary, kinds, intervalSeconds, start, onKinds, onStart, downloads }: FileBrowserProps) {
  const { serialNumber, timezone, earliestTimestamp, latestTimestamp } = summary;
  const files = useFileWindow({ serial: serialNumber, kinds: kinds === "all" ? "" : kinds, intervalSeconds }, start);
  const { window, hasLoaded, problem } = files;
  const { rows, hasOlder, hasNewer } = window;
  const zone = timezone ?? "UTC";
  const report = useAgreedStart(start, files.startAt, onStart);
  const goTo = (next: FileStart) => {
    report(next);
    files.startAt(next);
  };
  return (
    <div className="file-browser">
      <FileTools timezone={zone} kinds={kinds} onKinds={onKinds} onGoTo={goTo}>
        {downloads}
      </FileTools>
      {!hasLoaded && problem === undefined && <LoadingRows label="Loading the files" rows={12} height={33} frame="table" />}
      {!hasLoaded && problem !== undefined && <FailureState message={problem} onRetry={files.retry} />}
      {hasLoaded && problem !== undefined && (
        <Notice kind="warning" action={<NoticeButton onClick={files.retry}>Try again</NoticeButton>}>
          {problem}
        </Notice>
      )}
      {hasLoaded && rows.length === 0 && <NoFiles hasOthers={latestTimestamp !== null} onAll={() => onKinds("all")} />}
      {hasLoaded && rows.length > 0 && (
        <>
          <FileList
            window={window}
            target={files.target}
            timezone={timezone}
            onOlder={files.loadOlder}
            onNewer={files.loadNewer}
            onRest={(timestamp, isTop) => report(isTop && !hasNewer ? "latest" : timestamp)}
          />
          <p className="file-foot dim tabular">
            {counted(rows.length, "file")} loaded, newest first, times in {zone}.{" "}
            {hasNewer ? "Newer ones above. " : "The latest is shown. "}
            {hasOlder ? "Older ones below." : "The earliest is shown."}
            {earliestTimestamp !== null && latestTimestamp !== null && (
              <span className="only-wide">
                {" "}
                All files: {formatDateTime(earliestTimestamp, zone)} to {formatDateTime(latestTimestamp, zone)}.
              </span>
            )}
          </p>
        </>
      )}
    </div>
  );
}

/** The list follows an address that someone else changed; what the list wrote itself moves nothing. Returns how the list writes. */
function useAgreedStart(start: FileStart, startAt: (start: FileStart) => void, onStart: (start: FileStart) => void) {
  const shown = useRef(start);
  const written = useRef<FileStart[]>([]);
  useEffect(() => {
    if (start === shown.current) return;
    shown.current = start;
    // The address follows late, and may leave out what was overtaken.
    const place = written.current.indexOf(start);
    if (place < 0) startAt(start);
    written.current.splice(0, place + 1);
  }, [start, startAt]);
  return (next: FileStart) => {
    if (next === (written.current.at(-1) ?? shown.current)) return;
    written.current.push(next);
    onStart(next);
  };
}

function NoFiles({ hasOthers, onAll }: { hasOthers: boolean; onAll: () => void }) {
  if (!hasOthers) return <EmptyState title="This node has sent no files yet. A connected node sends one at the end of each interval." />;
  return (
    <EmptyState title="This node has no files of this kind.">
      <Button variant="default" onClick={onAll}>
        Show all files
      </Button>
    </EmptyState>
  );
}
