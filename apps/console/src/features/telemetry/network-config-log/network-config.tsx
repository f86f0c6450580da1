import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group, TextInput } from "@mantine/core";
import { IconDownload, IconRefresh } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { csvLines } from "#ui/column.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { LongTable, narrowHeight } from "#ui/long-table.tsx";
import { Notice } from "#ui/notice.tsx";
import { useAllNetworkConfigEntries, useNetworkConfigLog } from "./network-config.queries.ts";
import { networkConfigColumns } from "./network-config-columns.tsx";
import "./network-config.css";

const rowHeight = 62;
const narrowCells = 3;

/** REP-06 */
export function NetworkConfigScreen({ filter, onFilter }: { filter: string; onFilter: (text: string) => void }) {
  const words = useDeferredValue(filter.trim());
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useNetworkConfigLog(words);
  const entries = data?.pages.flat();

  return (
    <>
      <h1 className="page-title">Network Config</h1>
      <Group justify="space-between" mb="xs" gap="xs" className="no-print">
        <TextInput
          aria-label="Filter"
          placeholder="Filter by user, location, serial number, key or value"
          value={filter}
          maxLength={200}
          w={380}
          maw="100%"
          onChange={(event) => onFilter(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={isFetching && entries !== undefined}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
          <SaveCsv filter={words} />
        </Group>
      </Group>
      {!entries && !error && (
        <LoadingRows
          label="Loading the changes of node configurations"
          rows={10}
          height={rowHeight}
          narrowHeight={narrowHeight(networkConfigColumns, narrowCells)}
          frame="table"
        />
      )}
      {!entries && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {entries && error && <Notice kind="warning">{failureMessage(error)}</Notice>}
      {entries?.length === 0 && <NothingFound filter={words} onClear={() => onFilter("")} />}
      {entries && entries.length > 0 && (
        <>
          <LongTable
            className="netconf"
            label="Changes of node configurations"
            columns={networkConfigColumns}
            rows={entries}
            keyOf={({ id }) => id}
            rowHeight={rowHeight}
            narrowCells={narrowCells}
          />
          <Group gap="sm" mt="xs" className="dim">
            <output>
              {counted(entries.length, "entry")}
              {hasNextPage ? " shown, there are older ones" : ""}
              {words !== "" && `, filtered by ${words}`}
            </output>
            {hasNextPage && (
              <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void fetchNextPage()}>
                Show older entries
              </Button>
            )}
          </Group>
        </>
      )}
    </>
  );
}

function NothingFound({ filter, onClear }: { filter: string; onClear: () => void }) {
  if (filter === "") return <EmptyState title="No one has changed the configuration of a node yet" />;
  return (
    <EmptyState title={`No entry matches ${filter}`}>
      <Button variant="default" onClick={onClear}>
        Clear the filter
      </Button>
    </EmptyState>
  );
}

function SaveCsv({ filter }: { filter: string }) {
  const readAll = useAllNetworkConfigEntries(filter);
  const [state, setState] = useState<{ isWorking: boolean; failure?: string }>({ isWorking: false });
  const save = async () => {
    setState({ isWorking: true });
    try {
      const entries = await readAll();
      downloadFile("network-config.csv", csvOf(csvLines(networkConfigColumns, entries)));
      setState({ isWorking: false });
    } catch (error) {
      setState({ isWorking: false, failure: failureMessage(error) });
    }
  };
  return (
    <>
      {state.failure !== undefined && <Notice kind="error">{state.failure}</Notice>}
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} loading={state.isWorking} onClick={() => void save()}>
        Save CSV
      </Button>
    </>
  );
}
