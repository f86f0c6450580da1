import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { useEffect } from "react";
import { announce } from "#lib/announcer.ts";
import { MessageLine } from "#ui/message-line.tsx";
import { Panel } from "#ui/panel.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useBulkCalls, type BulkOrderInput, type BulkPlan } from "./bulk-changes.queries.ts";
import { BulkObjects } from "./bulk-objects.tsx";
import { nouns, planWords } from "./bulk-words.ts";

export interface BulkPlanPanelProps {
  order: BulkOrderInput;
  plan: BulkPlan;
  /** `Change`, or `Put back`. */
  verb: string;
  onAgain: () => void;
  onDone: (id: number) => void;
}

/** What a change would do to each object, and the button that does exactly this. */
export function BulkPlanPanel({ order, plan, verb, onAgain, onDone }: BulkPlanPanelProps) {
  const { run } = useBulkCalls();
  const outcome = useOutcome();
  const { kind, rows } = plan;
  const count = rows.filter(({ reason }) => reason === "").length;
  const words = planWords(kind, rows);
  // The same change would be refused again.
  const hasFailed = outcome.message?.kind === "error";
  useEffect(() => announce(`Dry run: ${words}`), [words]);
  const change = () =>
    outcome.run(async () => {
      onDone((await run(order, plan)).id);
      return undefined;
    });
  return (
    <Panel title="Dry run" aside={words}>
      <BulkObjects kind={kind} isPlan objects={rows} fileName="dry-run.csv" />
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      <Group gap="sm" className="bulk-verbs no-print">
        <Button disabled={count === 0 || hasFailed} loading={outcome.isWorking} onClick={() => void change()}>
          {verb} {counted(count, nouns[kind])}
        </Button>
        {hasFailed && <Button onClick={onAgain}>Look again</Button>}
      </Group>
    </Panel>
  );
}
