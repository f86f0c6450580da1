import { useParams } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { usePlotNotes } from "#features/directory/location-notes/location-notes.queries.ts";
import { FileContents } from "#features/files/file-contents/file-contents.tsx";
import { lazyPart } from "#lib/lazy-part.ts";
import { LoadingPlot } from "#ui/loading.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import "#features/telemetry/scalar-history/scalar-history.css";

const HistoryPlot = lazyPart(() => import("#features/telemetry/scalar-history/history-plot.tsx"), "HistoryPlot");

export function FileContentsPage() {
  const { fileName = "" } = useParams({ strict: false }) as { fileName?: string };
  const serial = /^[1-9]\d{4}(?=_)/.exec(fileName)?.[0];
  return (
    <PageFrame title="File Contents">
      <h1 className="page-title">File Contents</h1>
      <FileContents
        key={fileName}
        fileName={fileName}
        renderPlot={({ times, panels }, timezone) => (
          <ProgramPart loading={<LoadingPlot label="Loading the plot" plots={3} height={170} />}>
            <NotedPlot serial={serial} times={times} panels={panels} timezone={timezone} />
          </ProgramPart>
        )}
      />
    </PageFrame>
  );
}

/** The notes are those of the file's own time, however many came after it. */
function NotedPlot({ serial, ...plot }: Omit<ComponentProps<typeof HistoryPlot>, "notes"> & { serial: string | undefined }) {
  const [from, to] = [plot.times[0], plot.times.at(-1)];
  const notes = usePlotNotes(from === undefined ? undefined : serial, from === undefined || to === undefined ? {} : { span: { from, to } });
  return <HistoryPlot {...plot} notes={notes} />;
}
