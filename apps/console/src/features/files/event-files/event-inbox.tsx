import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { daysProblem } from "#lib/chosen-days.ts";
import { chosenColumns } from "#ui/chosen-columns.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { csvLines } from "#ui/column.ts";
import { DayFields } from "#ui/day-fields.tsx";
import { ListBar } from "#ui/list-bar.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { NewestTable } from "#ui/newest-rows.tsx";
import { SaveCsv } from "#ui/save-csv.tsx";
import { SearchField } from "#ui/search-field.tsx";
import {
  chosenDays,
  eventQueryOf,
  hidingOf,
  kindChoices,
  noEventFilter,
  placeNames,
  statusChoices,
  whenChoices,
  type EventFilter,
} from "./event-filter.ts";
import { eventColumns } from "./event-columns.tsx";
import { useAllEvents, useEvents } from "./recorded-events.queries.ts";
import "./event-files.css";
import "./recorded-events.css";

export interface EventInboxProps {
  filter: EventFilter;
  /** Typed. */
  onType: (filter: EventFilter) => void;
  /** Chosen. */
  onFilter: (filter: EventFilter) => void;
  /** The menu of saved views. */
  views: ReactNode;
}

/** What was recorded at the machines, one row an event. */
export function EventInbox({ filter, onType, onFilter, views }: EventInboxProps) {
  const query = eventQueryOf(filter);
  const list = useEvents(query);
  const readAll = useAllEvents(query);
  const hiddenBy = hidingOf(query);
  const { chosen } = chosenColumns(eventColumns, filter.columns);
  const set = (part: Partial<EventFilter>) => onFilter({ ...filter, ...part });

  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Events</h1>
        <SaveCsv fileName="events.csv" noun="event" readAll={readAll} linesOf={(events) => csvLines(eventColumns, events)} />
      </div>
      <Filter filter={filter} type={(part) => onType({ ...filter, ...part })} set={set} />
      <ListBar columns={eventColumns} choice={filter.columns} onChoice={(columns) => set({ columns })} noun="event" hiddenBy={hiddenBy}>
        {views}
      </ListBar>
      <NewestTable
        list={list}
        noun="event"
        nouns="events"
        none="No event was recorded yet"
        noMatch="No event matches"
        onClear={
          hiddenBy.length > 0 || daysProblem(filter) !== undefined
            ? () => onFilter({ ...noEventFilter, columns: filter.columns })
            : undefined
        }
        className="event-list"
        columns={chosen}
        keyOf={({ eventName }) => eventName}
        on={{ filter }}
      />
    </>
  );
}

interface FilterProps {
  filter: EventFilter;
  type: (part: Partial<EventFilter>) => void;
  set: (part: Partial<EventFilter>) => void;
}

function Filter({ filter, type, set }: FilterProps) {
  return (
    <search className="event-filter no-print">
      <SearchField label="Machine, place or node" value={filter.text} onChange={(text) => type({ text })} />
      <ChoiceBar
        label="When, by the clocks of the place"
        choices={whenChoices}
        value={filter.when}
        onChoose={(when) => set({ when, from: "", to: "" })}
      />
      {filter.when === chosenDays && <DayFields days={filter} onDays={set} />}
      <NativeSelect
        aria-label="Kind"
        data={kindChoices}
        value={filter.kind}
        onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
      />
      <TextInput
        aria-label="At least so many amperes"
        placeholder="At least … A"
        inputMode="decimal"
        maxLength={11}
        w={110}
        value={filter.amperes}
        onChange={({ currentTarget }) => type({ amperes: currentTarget.value.replaceAll(/[^\d.]/g, "") })}
      />
      <NativeSelect
        aria-label="State of reading"
        data={statusChoices}
        w={130}
        value={filter.status}
        onChange={({ currentTarget }) => set({ status: currentTarget.value })}
      />
      {[...placeNames, "node" as const].map(
        (name) =>
          filter[name] !== "" && (
            <Button key={name} variant="default" aria-label={`Only one ${name}: show all`} onClick={() => set({ [name]: "" })}>
              Only {name === "node" ? `node ${filter.node}` : `one ${name}`} ✕
            </Button>
          ),
      )}
    </search>
  );
}
