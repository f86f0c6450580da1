import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Panel } from "#ui/panel.tsx";
import { StaleNotice } from "#ui/stale-notice.tsx";
import { BatchNodes } from "./batch-nodes.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { batchTitle, courseWords } from "./batch-words.ts";
import { useBatch } from "./config-batches.queries.ts";
import { StartForm } from "./start-form.tsx";
import "./config-batches.css";

export interface BatchScreenProps {
  id: string;
  /** The username of who looks. */
  self: string;
  /** Another batch was made of this one. */
  onMade: (id: number) => void;
}

/** A change to many nodes, from its dry run to its end. */
export function BatchScreen({ id, self, onMade }: BatchScreenProps) {
  const { data: batch, error, dataUpdatedAt, refetch } = useBatch(id);
  if (!batch) {
    const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
    return (
      <>
        <h1 className="page-title">Batch {id}</h1>
        {!error && <LoadingRows label="Loading the batch" rows={8} height={40} frame="list" />}
        {error && isMissing && (
          <EmptyState title={error.status === 404 ? failureMessage(error) : "This address names no batch: it ends with a number."}>
            <a href="#/batches">All batches</a>
          </EmptyState>
        )}
        {error && !isMissing && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      </>
    );
  }
  return (
    <div className="list-page batch-page">
      <h1 className="page-title">Batch {batch.id}</h1>
      {error && <StaleNotice message={failureMessage(error)} updatedAt={dataUpdatedAt} />}
      <Choice batch={batch} />
      {batch.state === "reading" && (
        <Panel title="Passcode and pace">
          <output>Reading the nodes: {courseWords(batch)}.</output>
        </Panel>
      )}
      {batch.state === "ready" && <StartForm key={batch.hash} batch={batch} />}
      {batch.startedTimestamp !== null && <BatchProgress batch={batch} self={self} onMade={onMade} />}
      {batch.state === "cancelled" && batch.startedTimestamp === null && (
        <p>It was discarded before it was started. Nothing was changed.</p>
      )}
      <BatchNodes batch={batch} />
    </div>
  );
}

/** Who and what: it stays in sight whatever the step. */
function Choice({ batch }: { batch: Batch }) {
  const { nodeCount, counts, madeBy, madeTimestamp, sourceId, id } = batch;
  return (
    <p className="batch-choice">
      <b className="mono">{batchTitle(batch)}</b> on {counted(nodeCount - counts.left, "node")} of {nodeCount}.{" "}
      <span className="dim">
        Made by {madeBy}, <DateTime timestamp={madeTimestamp} timezone={null} />.{" "}
        {sourceId !== null && <a href={`#/batches/${sourceId}`}>Batch {sourceId}</a>} <a href={`#/changes?object=batch/${id}`}>Changes</a>{" "}
        <a href="#/batches">All batches</a>
      </span>
    </p>
  );
}
