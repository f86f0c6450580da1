import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { SaveForm } from "#ui/save-form.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { choiceOf, choicesOf, frequencyOf, type Choice } from "./subscription-words.ts";

export interface SubscriptionRow {
  id: number;
  name: string;
  /** Beside the name. */
  about: string;
  /** Without a choice of its own it is Immediate. */
  isAutomatic: boolean;
  frequency: SubscriptionFrequency | null;
}

export interface SubscriptionChange {
  id: number;
  frequency: SubscriptionFrequency | null;
  previous: SubscriptionFrequency | null;
}

export interface SubscriptionListProps {
  /** As they are now. */
  rows: readonly SubscriptionRow[];
  /** Of a row: `facility` or `user`. */
  noun: string;
  label: string;
  aboutLabel: string;
  /** Answers the rows as they are then. */
  onSave: (changes: SubscriptionChange[]) => Promise<readonly SubscriptionRow[]>;
}

/** So many are drawn; the search finds the others. */
const mostShown = 100;
const searchedFrom = 8;

type Seen = ReadonlyMap<number, SubscriptionFrequency | null>;
const seenOf = (rows: readonly SubscriptionRow[]): Seen => new Map(rows.map(({ id, frequency }) => [id, frequency]));

interface Choosing {
  choiceOfRow: (row: SubscriptionRow) => Choice;
  onChoose: (row: SubscriptionRow, choice: Choice) => void;
}

const columnsOf = (noun: string, aboutLabel: string): Column<SubscriptionRow, Choosing>[] => [
  { label: noun === "user" ? "User" : "Facility", text: ({ name }) => name, isRowHead: true },
  { label: aboutLabel, text: ({ about }) => about },
  {
    label: "How often",
    text: ({ frequency }) => frequency ?? "",
    cell: (row, { choiceOfRow, onChoose }): ReactNode => (
      <ChoiceBar
        label={`How often: ${row.name}`}
        choices={choicesOf(row.isAutomatic)}
        value={choiceOfRow(row)}
        onChoose={(choice) => onChoose(row, choice)}
        size="compact-xs"
      />
    ),
    width: 340,
  },
];

/** Who gets what how often, from one side; what someone else changed meanwhile is said and never overwritten. */
export function SubscriptionList({ rows, noun, label, aboutLabel, onSave }: SubscriptionListProps) {
  const outcome = useOutcome();
  const [seen, setSeen] = useState<Seen>(() => seenOf(rows));
  const [chosen, setChosen] = useState<Seen>(new Map());
  const [search, setSearch] = useState("");
  const before = ({ id, frequency }: SubscriptionRow) => seen.get(id) ?? (seen.has(id) ? null : frequency);
  const now = (row: SubscriptionRow) => chosen.get(row.id) ?? (chosen.has(row.id) ? null : before(row));
  const edited = rows.filter((row) => now(row) !== before(row));
  const elsewhere = rows.filter((row) => before(row) !== row.frequency);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ name, about }) => words.every((word) => `${name} ${about}`.toLowerCase().includes(word)));

  const save = () =>
    outcome.run(async () => {
      if (edited.length === 0) return "Nothing was changed";
      const next = await onSave(edited.map((row) => ({ id: row.id, frequency: now(row), previous: before(row) })));
      setSeen(seenOf(next));
      setChosen(new Map());
      return "Subscriptions saved successfully";
    });
  const reload = {
    noun: "list",
    changed: ["subscriptions"],
    isLosing: elsewhere.some((row) => edited.includes(row)),
    onReload: () => {
      setSeen(seenOf(rows));
      setChosen(new Map([...chosen].filter(([id]) => !elsewhere.some((row) => row.id === id))));
      outcome.clear();
    },
  };

  return (
    <SaveForm
      form={{ line: outcome, bar: { isValid: true, isWorking: outcome.isWorking, hasEdits: edited.length > 0 } }}
      onSubmit={save}
      saveLabel="Save subscriptions"
      label={label}
      reload={elsewhere.length > 0 ? reload : undefined}
    >
      {rows.length >= searchedFrom && (
        <TextInput
          aria-label="Search subscriptions"
          placeholder="Name"
          type="search"
          maw={320}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <DataTable
        columns={columnsOf(noun, aboutLabel)}
        rows={found.slice(0, mostShown)}
        keyOf={({ id }) => id}
        on={{
          choiceOfRow: (row) => choiceOf(now(row)),
          onChoose: (row, choice) => setChosen(new Map(chosen).set(row.id, frequencyOf(choice))),
        }}
        aria-label={label}
      />
      {found.length > mostShown && <span className="dim">{counted(found.length - mostShown, noun)} more: search for them</span>}
    </SaveForm>
  );
}
