import type { Batch, BatchNodeState } from "@busbar/contract/telemetry/config-batches.ts";
import { Button, Group } from "@mantine/core";
import { useEffect, useState, type SubmitEvent } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { announce } from "#lib/announcer.ts";
import { DateTime } from "#ui/date-time.tsx";
import { LeaveQuestion } from "#ui/leave-question.tsx";
import { Notice } from "#ui/notice.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Panel } from "#ui/panel.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { batchLook, courseWords, nodeStateWords, paceWords } from "./batch-words.ts";
import { useBatchOrders } from "./config-batches.queries.ts";

const drawn: readonly BatchNodeState[] = ["confirmed", "refused", "unknown", "sending", "waiting", "dropped"];

export interface BatchProgressProps {
  batch: Batch;
  self: string;
  onMade: (id: number) => void;
}

/** How far a roll-out came, and what can be done about it. Leaving the page does not stop it. */
export function BatchProgress({ batch, self, onMade }: BatchProgressProps) {
  const { id, state, counts, nodeCount, stopReason, startedBy, startedTimestamp, startLocal } = batch;
  const { steer, next } = useBatchOrders(id);
  const [isCancelling, setCancelling] = useState(false);
  const { label } = batchLook(batch);
  useEffect(() => announce(`Batch ${id}: ${label}`), [id, label]);
  const hasEnded = state === "done" || state === "cancelled";
  const failure = steer.error ?? next.error;
  const follow = (kind: "retry" | "putBack") => next.mutate({ kind }, { onSuccess: (made) => onMade(made.id) });
  const button = (text: string, act: () => void) => (
    <Button variant="default" disabled={steer.isPending || next.isPending} onClick={act}>
      {text}
    </Button>
  );
  const mayGoOn = state === "paused" || state === "stopped";
  const isProofNeeded = state === "stopped" || startedBy !== self;
  const leftOver = nodeCount - counts.confirmed;
  return (
    <Panel title="Progress" aside={label}>
      <BatchBar batch={batch} />
      <p className="batch-course tabular">
        {courseWords(batch)}.{" "}
        {startedTimestamp !== null && (
          <span className="dim">
            Started by {startedBy}, <DateTime timestamp={startedTimestamp} timezone={null} />
            {startLocal !== "" && `, not before ${startLocal} by the clocks of each place`}. {paceWords(batch)}.
          </span>
        )}
      </p>
      {state === "stopped" && <Notice kind="error">Stopped by itself: {stopReason}. Look at their answers before you resume.</Notice>}
      {failure && <Notice kind="error">{failureMessage(failure)}</Notice>}
      {mayGoOn && isProofNeeded && <ResumeForm batch={batch} />}
      <Group gap="sm" className="no-print">
        {state === "running" && button("Pause", () => steer.mutate({ order: "pause" }))}
        {mayGoOn && !isProofNeeded && button("Resume", () => steer.mutate({ order: "resume" }))}
        {!hasEnded && button("Cancel", () => setCancelling(true))}
        {hasEnded && leftOver > 0 && button("Retry what was not changed", () => follow("retry"))}
        {hasEnded && counts.confirmed + counts.unknown > 0 && button("Put back", () => follow("putBack"))}
      </Group>
      {isCancelling && (
        <LeaveQuestion
          question={cancelQuestion}
          onAnswer={(isSure) => {
            setCancelling(false);
            if (isSure) steer.mutate({ order: "cancel" });
          }}
        />
      )}
    </Panel>
  );
}

const cancelQuestion = {
  title: "Cancel the batch?",
  text: "Nodes that were changed stay changed, the others are left as they are. A cancelled batch is not resumed; what it left can be tried again.",
  stay: "Keep the batch",
  lose: "Cancel the batch",
};

/** Whoever goes on after failures, or with what another person started, gives a passcode of their own. */
function ResumeForm({ batch: { id, hash } }: { batch: Batch }) {
  const { steer } = useBatchOrders(id);
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (outcome.isWorking) return;
    if (passcode.isMissing("Missing 2FA Passcode")) return;
    await outcome.run(async () => void (await steer.mutateAsync({ order: "resume", hash, code: passcode.code })));
    passcode.spend();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Resume the batch" className="no-print">
      <UnsavedEdits when={passcode.code !== ""} />
      <Group gap="sm" align="end" mb="xs">
        <PasscodeInput label="2FA PASSCODE" {...passcode.field} />
        <Button type="submit" color="red.9" loading={steer.isPending}>
          Resume
        </Button>
      </Group>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
    </form>
  );
}

/** Confirmed, refused, unknown and waiting as parts of one bar; the words stand below it. */
export function BatchBar({ batch: { counts, nodeCount } }: { batch: Batch }) {
  const total = Math.max(1, nodeCount - counts.left);
  return (
    <div className="batch-bar" aria-hidden="true">
      {drawn
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <div
            key={state}
            className={`batch-part batch-${state}`}
            style={{ flexGrow: counts[state] / total }}
            title={`${counts[state]} ${nodeStateWords[state].label}`}
          />
        ))}
    </div>
  );
}
