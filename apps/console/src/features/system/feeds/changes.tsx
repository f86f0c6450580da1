import { counted } from "@busbar/contract/values/counted.ts";
import type { Change } from "@busbar/contract/system/changes.ts";
import { Button, Group, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { formatCount } from "#lib/format-number.ts";
import { serverClock } from "#lib/server-clock.ts";
import { csvLines } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { Autocomplete } from "#ui/select.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { Notice } from "#ui/notice.tsx";
import { changeQueryOf, chosenDays, whatChoices, whenChoices } from "./change-filter.ts";
import type { ChangeFilter } from "./change-filter.ts";
import { changeColumns, fileColumns, fileLinesOf } from "./change-columns.tsx";
import type { ChangeActions } from "./change-columns.tsx";
import { useAllChanges, useChangePeople, useChanges } from "./changes.queries.ts";
import type { ChangeQuery } from "./changes.queries.ts";
import "./changes.css";

export interface ChangesProps {
  filter: ChangeFilter;
  onFilter: (filter: ChangeFilter) => void;
  onPutBack: (change: Change) => void;
}

const noFilter: ChangeFilter = { what: "", who: "", object: "", when: "", from: "", to: "" };

/** What people changed, with old and new values. */
export function ChangesScreen({ filter, onFilter, onPutBack }: ChangesProps) {
  const query = changeQueryOf(filter, new Date(serverClock.nowSeconds() * 1000));
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useChanges(query);
  const changes = data?.pages.flat();
  const set = (part: Partial<ChangeFilter>) => onFilter({ ...filter, ...part });
  const isFiltered = Object.values(filter).some((text) => text !== "");
  const actions: ChangeActions = {
    onPutBack,
    onPerson: filter.who === "" ? (who) => set({ who }) : undefined,
    onHistory: filter.object === "" ? (object) => onFilter({ ...noFilter, object }) : undefined,
  };

  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Changes</h1>
        <SaveCsv query={query} />
      </div>
      <Filter filter={filter} set={set} />
      {!changes && !error && <LoadingTable label="Loading the changes" columns={changeColumns} />}
      {!changes && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {changes && error && <Notice kind="warning">{failureMessage(error)}</Notice>}
      {changes?.length === 0 && (
        <EmptyState title={isFiltered ? "No change matches" : "No one has changed anything yet"}>
          {isFiltered && (
            <Button variant="default" onClick={() => onFilter(noFilter)}>
              Clear the filter
            </Button>
          )}
        </EmptyState>
      )}
      {changes && changes.length > 0 && (
        <>
          <DataTable
            aria-label="Changes"
            columns={changeColumns}
            rows={changes}
            keyOf={({ id }) => id}
            isUnnamed
            on={actions}
            aria-busy={isFetching}
          />
          <Group gap="sm" mt="xs" className="dim">
            <output>
              {counted(changes.length, "change")}
              {hasNextPage ? " shown, there are older ones" : ""}
            </output>
            {hasNextPage && (
              <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void fetchNextPage()}>
                Show older changes
              </Button>
            )}
          </Group>
        </>
      )}
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
      <fieldset className="change-when">
        <legend>When</legend>
        {whenChoices.map(({ value, label }) => (
          <Button
            key={value}
            variant={filter.when === value ? "filled" : "default"}
            aria-pressed={filter.when === value}
            onClick={() => set({ when: value, from: "", to: "" })}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      {filter.when === chosenDays && (
        <>
          <TextInput type="date" label="From" value={filter.from} onChange={({ currentTarget }) => set({ from: currentTarget.value })} />
          <TextInput type="date" label="Until" value={filter.to} onChange={({ currentTarget }) => set({ to: currentTarget.value })} />
        </>
      )}
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

function SaveCsv({ query }: { query: ChangeQuery }) {
  const readAll = useAllChanges(query);
  const [state, setState] = useState<{ isWorking: boolean; failure?: string }>({ isWorking: false });
  const save = async () => {
    setState({ isWorking: true });
    try {
      const { changes, isWhole } = await readAll();
      downloadFile("changes.csv", csvOf(csvLines(fileColumns, fileLinesOf(changes))));
      const cut = `The file holds the newest ${formatCount(changes.length)} changes. Choose an earlier time for the others.`;
      setState({ isWorking: false, ...(isWhole ? {} : { failure: cut }) });
    } catch (error) {
      setState({ isWorking: false, failure: failureMessage(error) });
    }
  };
  return (
    <Group gap="xs" className="no-print">
      {state.failure !== undefined && <Notice kind="error">{state.failure}</Notice>}
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} loading={state.isWorking} onClick={() => void save()}>
        Save CSV
      </Button>
    </Group>
  );
}
