import { useParams } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { usePlotNotes } from "#features/location-notes/location-notes.queries.ts";
import { FileContents } from "#features/file-contents/file-contents.tsx";
import { LoadingRows } from "#ui/data-states.tsx";
import { PageFrame } from "./page-frame.tsx";
import "#features/scalar-history/scalar-history.css";

const HistoryPlot = lazy(() => import("#features/scalar-history/history-plot.tsx").then((module) => ({ default: module.HistoryPlot })));

export function FileContentsPage() {
  const { fileName = "" } = useParams({ strict: false }) as { fileName?: string };
  const notes = usePlotNotes(/^[1-9]\d{4}(?=_)/.exec(fileName)?.[0]);
  return (
    <PageFrame title="File Contents">
      <h1 className="page-title">File Contents</h1>
      <FileContents
        key={fileName}
        fileName={fileName}
        renderPlot={({ times, panels }, timezone) => (
          <Suspense fallback={<LoadingRows label="Loading the plot" rows={3} height={170} />}>
            <HistoryPlot times={times} panels={panels} notes={notes} timezone={timezone} />
          </Suspense>
        )}
      />
    </PageFrame>
  );
}
