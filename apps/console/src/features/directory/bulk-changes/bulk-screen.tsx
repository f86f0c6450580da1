import type { BulkChange } from "@busbar/contract/directory/bulk-changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Panel } from "#ui/panel.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useBulkCalls, useBulkChange, type BulkPlan } from "./bulk-changes.queries.ts";
import { BulkObjects } from "./bulk-objects.tsx";
import { BulkPlanPanel } from "./bulk-plan.tsx";
import { nouns } from "./bulk-words.ts";
import "./bulk-changes.css";

export interface BulkScreenProps {
  id: string;
  /** It was put back by another one. */
  onUndone: (id: number) => void;
}

/** A change of many that was done: what became of each, and putting it back as one. */
export function BulkScreen({ id, onUndone }: BulkScreenProps) {
  const asked = useBulkChange(id);
  const { data: change } = asked;
  const title = `Bulk change ${id}`;
  const answer = (
    <Loaded
      of={asked}
      loading={<LoadingRows label="Loading the change" rows={8} height={36} frame="grid" />}
      missing={{ what: "change: it ends with a number", others: <a href="#/changes?what=bulkChanges">All bulk changes</a> }}
    />
  );
  if (!change) {
    return (
      <>
        <h1 className="page-title">{title}</h1>
        {answer}
      </>
    );
  }
  const { kind, objects, undoes } = change;
  return (
    <>
      <h1 className="page-title">{title}</h1>
      {answer}
      <Facts change={change} />
      <Undo change={change} onUndone={onUndone} />
      <Panel title={undoes === null ? "Changed" : "Put back"} aside={counted(objects.length, nouns[kind])}>
        <BulkObjects kind={kind} isPlan={false} objects={objects} fileName={`bulk-change-${id}.csv`} />
      </Panel>
    </>
  );
}

function Facts({ change: { kind, objects, undoes, undoneBy, madeBy, madeTimestamp } }: { change: BulkChange }) {
  const link = (other: number) => (
    <a key={other} href={`#/bulk/${other}`}>
      bulk change {other}
    </a>
  );
  return (
    <p>
      {counted(objects.length, nouns[kind])} {undoes === null ? "changed" : "put back"} by {madeBy},{" "}
      <DateTime timestamp={madeTimestamp} timezone={null} />.{undoes !== null && <> It undoes {link(undoes)}.</>}
      {undoneBy.length > 0 && <> Put back by {undoneBy.map((other, index) => [index > 0 && ", ", link(other)])}.</>}{" "}
      <a href="#/changes?what=bulkChanges">All bulk changes</a>
    </p>
  );
}

function Undo({ change: { id }, onUndone }: { change: BulkChange; onUndone: (id: number) => void }) {
  const { plan } = useBulkCalls();
  const outcome = useOutcome();
  const [looked, setLooked] = useState<BulkPlan | undefined>();
  const order = { undo: id };
  const look = () => {
    setLooked(undefined);
    void outcome.run(
      async () => {
        setLooked(await plan(order));
        return undefined;
      },
      { working: "Looking at what would be put back..." },
    );
  };
  return (
    <div className="bulk-undo">
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      {!looked && (
        <Group gap="sm" className="no-print">
          <Button variant="default" loading={outcome.isWorking} onClick={look}>
            Put back…
          </Button>
        </Group>
      )}
      {looked && <BulkPlanPanel order={order} plan={looked} verb="Put back" onAgain={look} onDone={onUndone} />}
    </div>
  );
}
