import { mostBulkFacilities, mostBulkObjects, type BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { NodeRange } from "#ui/node-range.tsx";
import { Panel } from "#ui/panel.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useBulkCalls, type BulkOrderInput, type BulkPlan } from "./bulk-changes.queries.ts";
import { orderOf, readField, takesWiringReason, wiringReasonProblem, type WantedField } from "./bulk-fields.ts";
import { ChosenNames } from "./chosen-names.tsx";
import { BulkPlanPanel } from "./bulk-plan.tsx";
import { nouns } from "./bulk-words.ts";
import { FieldRow } from "./field-row.tsx";
import { useBulkFields } from "./use-bulk-fields.ts";
import "./bulk-changes.css";

export interface NewBulkScreenProps {
  kind: BulkKind;
  /** Who: serial numbers, or ids. */
  chosen: readonly string[];
  /** What the address names beside them, and that is none. */
  wrong: readonly string[];
  /** Changes parameters of the nodes themselves in place of what the platform says of them. */
  configureHref?: string;
  onDone: (id: number) => void;
}

const words: Record<BulkKind, { title: string; from: string; field: string; placeholder: string }> = {
  nodes: { title: "Edit many nodes", from: "#/nodes", field: "Field", placeholder: "Search, such as interval" },
  locations: { title: "Edit many locations", from: "#/nodes", field: "Field", placeholder: "Search, such as zone" },
  subscriptions: { title: "Subscriptions of many users", from: "#/users", field: "Facility", placeholder: "Search for a facility" },
};

const fresh = (id: number): WantedField => ({ id, name: "", text: "", wiringReason: "" });

/** A change of what the platform says of many: who, what, the dry run, and then exactly that. */
export function NewBulkScreen({ kind, chosen, wrong, configureHref, onDone }: NewBulkScreenProps) {
  const { plan } = useBulkCalls();
  const asked = useBulkFields(kind);
  const { data: fields } = asked;
  const outcome = useOutcome();
  const [wanted, setWanted] = useState<readonly WantedField[]>([fresh(0)]);
  const [hasTried, setHasTried] = useState(false);
  const [looked, setLooked] = useState<{ order: BulkOrderInput; plan: BulkPlan } | undefined>();
  const [doneId, setDoneId] = useState<number | undefined>();
  const noun = nouns[kind];
  const { title, from, field: fieldWord, placeholder } = words[kind];
  /** Grows with each edit: what was asked before one says nothing of what is entered now. */
  const edits = useRef(0);
  const set = (next: readonly WantedField[]) => {
    edits.current++;
    setWanted(next);
    setLooked(undefined);
  };
  const read = wanted.map(({ name, text }) => {
    const field = fields?.find((each) => each.name === name);
    return [name, field ? readField(field, text) : { problem: "" }] as const;
  });

  const look = async () => {
    setHasTried(true);
    const reason = wanted.find(takesWiringReason)?.wiringReason.trim() ?? "";
    if (outcome.isWorking || read.some(([, result]) => "problem" in result) || wiringReasonProblem(reason) !== undefined) return;
    const values = read.flatMap(([name, result]) => ("value" in result ? [[name, result.value] as const] : []));
    const order = orderOf(kind, chosen, values, reason);
    setLooked(undefined);
    await outcome.run(
      async () => {
        const before = edits.current;
        const found = await plan(order);
        if (edits.current === before) setLooked({ order, plan: found });
        return undefined;
      },
      { working: `Looking at ${counted(chosen.length, noun)}...` },
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void look();
  };

  // After nothing is unsaved any more: leaving would ask.
  useEffect(() => {
    if (doneId !== undefined) onDone(doneId);
  }, [doneId, onDone]);

  if (chosen.length === 0) {
    return (
      <>
        <h1 className="page-title">{title}</h1>
        <EmptyState title={`No ${noun} is chosen`}>
          <a href={from}>Choose them in the list</a>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <h1 className="page-title">{title}</h1>
      <UnsavedEdits when={doneId === undefined && wanted.some(({ name }) => name !== "")} />
      <form onSubmit={submit} noValidate aria-label={title} className="bulk-steps">
        <Panel title="Who" aside={counted(chosen.length, noun)}>
          {wrong.length > 0 && <Notice kind="error">Not understood, and left out: {wrong.join(", ")}.</Notice>}
          {chosen.length > mostBulkObjects && <Notice kind="error">At most {counted(mostBulkObjects, noun)} at once.</Notice>}
          {kind === "nodes" ? <NodeRange serials={chosen} most={mostBulkObjects} /> : <ChosenNames kind={kind} ids={chosen} />}
        </Panel>
        <Panel title="What">
          <Loaded of={asked} loading={<LoadingForm label="Loading what can be chosen" fields={1} />} />
          {fields &&
            wanted.map((row) => (
              <FieldRow
                key={row.id}
                fields={fields}
                label={fieldWord}
                placeholder={placeholder}
                wanted={row}
                taken={new Set(wanted.filter(({ id }) => id !== row.id).map(({ name }) => name))}
                hasTried={hasTried}
                onChange={(next) => set(wanted.map((each) => (each.id === next.id ? next : each)))}
                onRemove={wanted.length > 1 ? () => set(wanted.filter(({ id }) => id !== row.id)) : undefined}
              />
            ))}
          {fields && wanted.length < Math.min(fields.length, mostBulkFacilities) && (
            <Button variant="default" onClick={() => set([...wanted, fresh((wanted.at(-1)?.id ?? 0) + 1)])}>
              Another {fieldWord.toLowerCase()}
            </Button>
          )}
        </Panel>
        {configureHref !== undefined && (
          <p className="dim">
            What the platform keeps of them changes. Parameters of the nodes themselves are <a href={configureHref}>configured</a>.
          </p>
        )}
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group gap="sm">
          <Button
            type="submit"
            variant={looked ? "default" : "filled"}
            loading={outcome.isWorking}
            disabled={chosen.length > mostBulkObjects || !fields}
          >
            Dry run
          </Button>
        </Group>
      </form>
      {looked && <BulkPlanPanel {...looked} verb="Change" onAgain={() => void look()} onDone={setDoneId} />}
    </>
  );
}
