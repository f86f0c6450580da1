import { counted } from "@busbar/contract/values/counted.ts";
import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import type { CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import type { PastVerdict, VerdictEvidence } from "@busbar/contract/telemetry/node-verdicts.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { VerdictSentence, gravityShapes } from "#ui/verdict-words.tsx";
import { useNodeVerdict } from "./node-page.queries.ts";

export interface VerdictPanelProps {
  node: NodeOverview;
  /** What was tried is asked for. */
  onTried: () => void;
}

/** What is wrong in a sentence, what speaks for it, whether others have it too, and what was wrong before. */
export function VerdictPanel({ node, onTried }: VerdictPanelProps) {
  const asked = useNodeVerdict(node.serialNumber);
  const { data } = asked;
  const [showsPast, setShowsPast] = useState(false);
  if (!data) return <Loaded of={asked} loading={<LoadingRows label="Loading the verdict" rows={1} height={72} frame="list" />} />;
  const { verdict, evidence, history } = data;
  const gravity = verdict?.gravity ?? "note";
  const { shape, className } = gravityShapes[gravity];
  return (
    <section className={`verdict is-${gravity}`} aria-label="Verdict">
      <Group gap="4px 12px" justify="space-between" align="stretch">
        <p className="verdict-sentence">
          <span className={className} aria-hidden="true">
            {shape}
          </span>{" "}
          {verdict ? <VerdictSentence verdict={verdict} /> : "The node was not judged yet."}
          {verdict && <CoverageLink serial={node.serialNumber} finding={verdict} />}
        </p>
        <span className="verdict-acts no-print">
          <Button variant="default" size="compact-sm" onClick={onTried}>
            What was tried
          </Button>
          {history.length > 0 && (
            <Button variant="default" size="compact-sm" aria-expanded={showsPast} onClick={() => setShowsPast(!showsPast)}>
              Earlier verdicts
            </Button>
          )}
        </span>
      </Group>
      <ul className="bare-list verdict-evidence">
        {evidence
          .filter(({ sentence }) => sentence !== verdict?.sentence)
          .map(({ kind, gravity: own, sentence, detail }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two findings may be of one kind
            <li key={`${kind} ${index}`}>
              <span className={gravityShapes[own].className} aria-hidden="true">
                {gravityShapes[own].shape}
              </span>{" "}
              {sentence}
              {detail !== "" && <span className="dim"> {detail}</span>}
              <CoverageLink serial={node.serialNumber} finding={{ kind, sentence }} />
            </li>
          ))}
        <Others node={node} />
      </ul>
      {showsPast && <PastVerdicts history={history} timezone={node.timezone} />}
    </section>
  );
}

type Finding = Pick<VerdictEvidence, "kind" | "sentence">;

/** Which data a finding says are missing or bad. */
function missingKind({ kind, sentence }: Finding): CoverageKind | undefined {
  if (kind === "late" || kind === "partial") return "scalars";
  if (kind === "files" || kind === "extraction") return sentence.includes("one-second") ? "S" : "D";
  return undefined;
}

/** Where data are missing, since when is seen in the coverage. */
function CoverageLink({ serial, finding }: { serial: string; finding: Finding }) {
  const kind = missingKind(finding);
  if (kind === undefined) return null;
  return (
    <>
      {" "}
      <a className="no-print" href={`#/coverage?kind=${kind}&show=all&find=${serial}&node=${serial}`}>
        Data coverage
      </a>
    </>
  );
}

/** Whether the node is alone with what it has. */
function Others({ node: { facilityId, facilityName, othersAtFacility } }: { node: NodeOverview }) {
  const { total, connected } = othersAtFacility;
  if (facilityId === null) return null;
  const facility = <a href={`#/facilities/${facilityId}`}>{facilityName}</a>;
  if (total === 0) return <li>No other node is in service at {facility}.</li>;
  if (total === 1) {
    return (
      <li>
        The other node at {facility} is {connected === 1 ? "connected" : "not connected"}.
      </li>
    );
  }
  return (
    <li>
      Others at {facility}: {connected === total ? "all" : `${connected} of`} {counted(total, "node")} connected.
    </li>
  );
}

function PastVerdicts({ history, timezone }: { history: readonly PastVerdict[]; timezone: string | null }) {
  return (
    <ol className="bare-list panel-list verdict-past" aria-label="Earlier verdicts">
      {history.slice(0, 20).map(({ kind, gravity, sentence, beganAt, endedAt }) => (
        <li key={`${kind} ${beganAt}`}>
          <span className="dim tabular">
            <DateTime timestamp={beganAt} timezone={timezone} />
            {endedAt !== null && (
              <>
                {" "}
                to <DateTime timestamp={endedAt} timezone={timezone} />
              </>
            )}
          </span>{" "}
          <span className={gravityShapes[gravity].className} aria-hidden="true">
            {gravityShapes[gravity].shape}
          </span>{" "}
          {sentence}
        </li>
      ))}
    </ol>
  );
}
