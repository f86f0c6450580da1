import { isExternalNodeType } from "@busbar/contract/values/option-lists.ts";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { DownloadActions } from "#features/files/downloads/download-actions.tsx";
import { FileBrowser } from "#features/files/node-files/file-browser.tsx";
import { useNodeFilesSummary } from "#features/files/node-files/node-files.queries.ts";
import type { FileStart } from "#features/files/node-files/use-file-window.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { missingNode } from "#ui/missing-node.tsx";
import { placeText } from "#ui/no-place.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { PageFrame } from "./page-frame.tsx";

const defaultInterval = 900;
/** Before all files. */
const earliestPos = 0;
const posOf = (start: FileStart): number | undefined => (start === "earliest" ? earliestPos : start === "latest" ? undefined : start);
const relayTypes = ["SEL", "GERelay"];

/** FIL-01: `scrollPos` says where to begin, `dataInterval` how far apart files are. */
export function NodeFilesPage() {
  const { serialNumber = "" } = useParams({ strict: false }) as { serialNumber?: string };
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = useNodeFilesSummary(serialNumber);
  const { data: summary } = asked;
  const intervalSeconds = wholeNumber(search["dataInterval"]) ?? defaultInterval;
  const scrollPos = wholeNumber(search["scrollPos"]);
  const start = scrollPos === earliestPos ? "earliest" : (scrollPos ?? "latest");
  // Relays and recorders make no data points.
  const hasDataPoints = !summary || !(isExternalNodeType(summary.type) || relayTypes.includes(summary.type));
  const kinds =
    typeof search["kinds"] === "string" && /^([DSHEX]|all)$/.test(search["kinds"]) ? search["kinds"] : hasDataPoints ? "D" : "all";
  const write = (change: Record<string, unknown>) =>
    // What the address says by then: two changes may follow each other before it is written.
    void navigate({ to: ".", search: (now: object) => ({ ...now, dataInterval: intervalSeconds, ...change }), replace: true });

  return (
    <PageFrame title={`Files ${serialNumber}`}>
      <h1 className="page-title">
        Files of node <NodeLink serial={serialNumber} />
        {summary && (
          <span className="dim">
            {" "}
            {placeText([summary.location, summary.facility, summary.customer].filter(Boolean).join(", "), summary.locationId !== null)}
          </span>
        )}
      </h1>
      <Loaded of={asked} loading={<LoadingRows label="Loading the files" rows={12} height={33} frame="table" />} missing={missingNode} />
      {summary && (
        <FileBrowser
          key={`${serialNumber} ${kinds} ${intervalSeconds}`}
          summary={summary}
          kinds={kinds}
          intervalSeconds={intervalSeconds}
          start={start}
          onKinds={(next) => write({ kinds: next })}
          onStart={(next) => write({ scrollPos: posOf(next) })}
          downloads={<DownloadActions serial={serialNumber} timezone={summary.timezone ?? "UTC"} />}
        />
      )}
    </PageFrame>
  );
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "string" && /^\d{1,11}$/.test(value) ? Number(value) : undefined;
}
