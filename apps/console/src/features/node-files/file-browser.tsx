import { counted } from "@busbar/contract/counted.ts";
import type { NodeFilesSummary } from "@busbar/contract/node-files.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { EmptyState, FailureState, LoadingRows } from "#ui/data-states.tsx";
import { Notice } from "#ui/notice.tsx";
import { FileList } from "./file-list.tsx";
import { FileTools } from "./file-tools.tsx";
import { useFileWindow } from "./use-file-window.ts";
import type { FileStart } from "./use-file-window.ts";
import "./node-files.css";

export interface FileBrowserProps {
  summary: NodeFilesSummary;
  /** Letters of kinds, or `all`. */
  kinds: string;
  intervalSeconds: number;
  start: FileStart;
  onKinds: (kinds: string) => void;
  onScrollPos: (timestamp: number) => void;
  downloads: ReactNode;
}

/** FIL-01 to FIL-05 */
export function FileBrowser({ summary, kinds, intervalSeconds, start, onKinds, onScrollPos, downloads }: FileBrowserProps) {
  const { serialNumber, timezone, earliestTimestamp, latestTimestamp } = summary;
  const files = useFileWindow({ serial: serialNumber, kinds: kinds === "all" ? "" : kinds, intervalSeconds }, start);
  const { window, hasLoaded, problem } = files;
  const { rows, hasOlder, hasNewer } = window;
  const zone = timezone ?? "UTC";
  return (
    <div className="file-browser">
      <FileTools timezone={zone} kinds={kinds} onKinds={onKinds} onGoTo={files.startAt}>
        {downloads}
      </FileTools>
      {!hasLoaded && problem === undefined && <LoadingRows label="Loading the files" rows={12} height={32} />}
      {!hasLoaded && problem !== undefined && <FailureState message={problem} onRetry={files.retry} />}
      {hasLoaded && problem !== undefined && (
        <Notice kind="warning" action={<RetryButton onRetry={files.retry} />}>
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
            onRest={onScrollPos}
          />
          <p className="file-foot dim tabular">
            {counted(rows.length, "file")} in sight, newest first, times in {zone}.{" "}
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

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onRetry}>
      Try again
    </Button>
  );
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
