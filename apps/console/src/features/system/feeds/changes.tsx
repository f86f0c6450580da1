import type { Change } from "@busbar/contract/system/changes.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { daysProblem } from "#lib/chosen-days.ts";
import { serverClock } from "#lib/server-clock.ts";
import { chosenColumns } from "#ui/chosen-columns.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { csvLines } from "#ui/column.ts";
import { DayFields } from "#ui/day-fields.tsx";
import { ListBar } from "#ui/list-bar.tsx";
import { Autocomplete } from "#ui/select.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { NewestTable } from "#ui/newest-rows.tsx";
import { SaveCsv } from "#ui/save-csv.tsx";
import { changeQueryOf, chosenDays, hidingOf, leftOutOf, whatChoices, whenChoices, type ChangeFilter } from "./change-filter.ts";
import { changeColumns, fileColumns, fileLinesOf, type ChangeActions } from "./change-columns.tsx";
import { useAllChanges, useChangePeople, useChanges } from "./changes.queries.ts";
import "./changes.css";

export interface ChangesProps {
  filter: ChangeFilter;
  onFilter: (filter: ChangeFilter) => void;
  onPutBack: (change: Change) => void;
  /** The menu of saved views. */
  views: ReactNode;
}

const noFilter = { what: "", who: "", object: "", when: "", from: "", to: "" };

/** What people changed, with old and new values. */
export function ChangesScreen({ filter, onFilter, onPutBack, views }: ChangesProps) {
  const query = changeQueryOf(filter, new Date(serverClock.nowSeconds() * 1000));
  const list = useChanges(query);
  const readAll = useAllChanges(query);
  const set = (part: Partial<ChangeFilter>) => onFilter({ ...filter, ...part });
  const hiddenBy = hidingOf(query);
  const { chosen } = chosenColumns(changeColumns, filter.columns);
  const actions: ChangeActions = {
    onPutBack,
    onPerson: filter.who === "" ? (who) => set({ who }) : undefined,
    onHistory: filter.object === "" ? (object) => set({ ...noFilter, object }) : undefined,
  };

  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Changes</h1>
        <SaveCsv
          fileName="changes.csv"
          noun="change"
          readAll={readAll}
          linesOf={(changes) => csvLines(fileColumns, fileLinesOf(changes))}
        />
      </div>
      <Filter filter={filter} set={set} />
      <ListBar
        columns={changeColumns}
        choice={filter.columns}
        onChoice={(columns) => set({ columns })}
        noun="change"
        hiddenBy={hiddenBy}
        leftOut={leftOutOf(query)}
      >
        {views}
      </ListBar>
      <NewestTable
        list={list}
        noun="change"
        nouns="changes"
        none="No one has changed anything yet"
        noMatch="No change matches"
        onClear={hiddenBy.length > 0 || daysProblem(filter) !== undefined ? () => set(noFilter) : undefined}
        columns={chosen}
        keyOf={({ id }) => id}
        isUnnamed
        on={actions}
      />
    </>
  );
}

function Filter({ filter, set }: { filter: ChangeFilter; set: (part: Partial<ChangeFilter>) => void }) {
  const { data: people = [] } = useChangePeople();
  return (
    <search className="change-filter no-print">
      <Autocomplete
        label="Who"
        placeholder="Everyone"
        data={people}
        value={filter.who}
        maxLength={64}
        limit={50}
        w={170}
        onChange={(who) => set({ who })}
      />
      <ChoiceBar label="When" isLabelShown choices={whenChoices} value={filter.when} onChoose={(when) => set({ when, from: "", to: "" })} />
      {filter.when === chosenDays && <DayFields days={filter} onDays={set} isLabelShown />}
      <NativeSelect
        label="What"
        data={whatChoices}
        value={filter.what}
        w={240}
        onChange={({ currentTarget }) => set({ what: currentTarget.value })}
      />
      {filter.object !== "" && (
        <Button variant="default" aria-label={`Only ${filter.object}: show all`} onClick={() => set({ object: "" })}>
          Only {filter.object} ✕
        </Button>
      )}
    </search>
  );
}
