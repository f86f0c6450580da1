import { mostBatchNodes, mostBatchValues } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { useEffect, useState, type SubmitEvent } from "react";
import { EmptyState } from "#ui/data-states.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { NodeRange } from "#ui/node-range.tsx";
import { Panel } from "#ui/panel.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useCreateBatch } from "./config-batches.queries.ts";
import { AddValueButton, problemOf, ValueRow, type WantedValue } from "./value-row.tsx";
import "./config-batches.css";

export interface NewBatchScreenProps {
  serials: readonly string[];
  /** What the address names beside them, and that is no serial number. */
  wrong: readonly string[];
  onMade: (id: number) => void;
}

const fresh = (id: number): WantedValue => ({ id, key: "", value: "" });

/** The first two steps of a change to many nodes: who, and what. The dry run makes the batch. */
export function NewBatchScreen({ serials, wrong, onMade }: NewBatchScreenProps) {
  const create = useCreateBatch();
  const outcome = useOutcome();
  const [values, setValues] = useState<readonly WantedValue[]>([fresh(0)]);
  const [madeId, setMadeId] = useState<number | undefined>();
  const [hasTried, setHasTried] = useState(false);
  const change = (next: WantedValue) => setValues(values.map((value) => (value.id === next.id ? next : value)));
  const isWhole = values.every((wanted) => wanted.key !== "" && problemOf(wanted) === undefined);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (outcome.isWorking) return;
    setHasTried(true);
    if (!isWhole) return;
    await outcome.run(async () => {
      const { id } = await create.mutateAsync({ serialNumbers: [...serials], values: values.map(({ key, value }) => ({ key, value })) });
      setMadeId(id);
      return undefined;
    });
  };

  // After nothing is unsaved any more: leaving would ask.
  useEffect(() => {
    if (madeId !== undefined) onMade(madeId);
  }, [madeId, onMade]);

  if (serials.length === 0) {
    return (
      <>
        <h1 className="page-title">Change many nodes</h1>
        <EmptyState title="No node is chosen">
          <a href="#/nodes">Choose them in the list of nodes</a>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <h1 className="page-title">Change many nodes</h1>
      <form onSubmit={(event) => void submit(event)} noValidate aria-label="Change many nodes" className="batch-steps">
        <UnsavedEdits when={madeId === undefined && values.some(({ key }) => key !== "")} />
        <Panel title="Who" aside={counted(serials.length, "node")}>
          {wrong.length > 0 && <Notice kind="error">No serial numbers, and left out: {wrong.join(", ")}.</Notice>}
          {serials.length > mostBatchNodes && <Notice kind="error">A batch has at most {counted(mostBatchNodes, "node")}.</Notice>}
          <NodeRange serials={serials} most={mostBatchNodes} />
        </Panel>
        <Panel title="What">
          {values.map((wanted) => (
            <ValueRow
              key={wanted.id}
              wanted={wanted}
              hasTried={hasTried}
              onChange={change}
              onRemove={values.length > 1 ? () => setValues(values.filter(({ id }) => id !== wanted.id)) : undefined}
            />
          ))}
          {values.length < mostBatchValues && <AddValueButton onAdd={() => setValues([...values, fresh((values.at(-1)?.id ?? 0) + 1)])} />}
        </Panel>
        <p className="dim">
          The dry run asks each node for its values. Nothing is changed before you have seen them and given your passcode.
        </p>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group gap="sm">
          <Button type="submit" loading={outcome.isWorking} disabled={serials.length > mostBatchNodes}>
            Dry run
          </Button>
        </Group>
      </form>
    </>
  );
}
