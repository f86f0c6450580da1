import { useParams } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { FileContents } from "#features/file-contents/file-contents.tsx";
import { LoadingRows } from "#ui/data-states.tsx";
import { PageFrame } from "./page-frame.tsx";
import "#features/scalar-history/scalar-history.css";

const HistoryPlot = lazy(() => import("#features/scalar-history/history-plot.tsx").then((module) => ({ default: module.HistoryPlot })));

export function FileContentsPage() {
  const { fileName = "" } = useParams({ strict: false }) as { fileName?: string };
  return (
    <PageFrame title="File Contents">
      <h1 className="page-title">File Contents</h1>
      <FileContents
        key={fileName}
        fileName={fileName}
        renderPlot={({ times, panels }, timezone) => (
          <Suspense fallback={<LoadingRows label="Loading the plot" rows={3} height={170} />}>
            <HistoryPlot times={times} panels={panels} timezone={timezone} />
          </Suspense>
        )}
      />
    </PageFrame>
  );
}
