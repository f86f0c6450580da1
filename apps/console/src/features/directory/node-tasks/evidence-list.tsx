import type { EvidenceKind, TaskEvidence } from "@busbar/contract/directory/deployments.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";

export interface EvidenceListProps {
  evidence: readonly TaskEvidence[];
  timezone: string | null;
}

const labels: Readonly<Record<EvidenceKind, string>> = {
  registered: "Node",
  place: "Place",
  nameplate: "Nameplate",
  connected: "Connection",
  configuration: "Configuration",
  metering: "Values",
  clock: "Clock",
  files: "Files",
  wiring: "Wiring",
  nameplateValid: "Node",
  deployed: "Status",
  notes: "Notes",
};

/** What the platform sees by itself of what a task asks for, each with its time. */
export function EvidenceList({ evidence, timezone }: EvidenceListProps) {
  if (evidence.length === 0) return null;
  return (
    <ul className="task-evidence" aria-label="Evidence">
      {evidence.map(({ kind, isSeen, sentence, timestamp }) => (
        <li key={kind}>
          <span className={isSeen ? "good" : "warn"}>
            <span aria-hidden="true">{isSeen ? "●" : "◆"}</span> {isSeen ? "Seen" : "Not seen"}
          </span>{" "}
          <b>{labels[kind]}:</b> {sentence}{" "}
          {timestamp !== null && (
            <span className="dim">
              <HoverTimes timestamp={timestamp} timezone={timezone}>
                <TimeAgo timestamp={timestamp} />
              </HoverTimes>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
