import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Panel } from "#ui/panel.tsx";
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
  const asked = useBatch(id);
  const { data: batch } = asked;
  const answer = (
    <Loaded
      of={asked}
      loading={<LoadingRows label="Loading the batch" rows={8} height={40} frame="list" />}
      missing={{ what: "batch: it ends with a number", others: <a href="#/batches">All batches</a> }}
    />
  );
  if (!batch) {
    return (
      <>
        <h1 className="page-title">Batch {id}</h1>
        {answer}
      </>
    );
  }
  return (
    <div className="list-page batch-page">
      <h1 className="page-title">Batch {batch.id}</h1>
      {answer}
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
