import { Button, Group, TextInput } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useDeferredValue } from "react";
import { csvLines } from "#ui/column.ts";
import { LoadingRows } from "#ui/loading.tsx";
import { LongTable, narrowHeight } from "#ui/long-table.tsx";
import { NewestRows } from "#ui/newest-rows.tsx";
import { SaveCsv } from "#ui/save-csv.tsx";
import { useAllNetworkConfigEntries, useNetworkConfigLog } from "./network-config.queries.ts";
import { networkConfigColumns } from "./network-config-columns.tsx";
import "./network-config.css";

const rowHeight = 62;
const narrowCells = 3;

/** REP-06 */
export function NetworkConfigScreen({ filter, onFilter }: { filter: string; onFilter: (text: string) => void }) {
  const words = useDeferredValue(filter.trim());
  const list = useNetworkConfigLog(words);
  const readAll = useAllNetworkConfigEntries(words);

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
            loading={list.isFetching && list.data !== undefined}
            onClick={() => void list.refetch()}
          >
            Refresh
          </Button>
          <SaveCsv
            fileName="network-config.csv"
            noun="entry"
            readAll={readAll}
            linesOf={(entries) => csvLines(networkConfigColumns, entries)}
          />
        </Group>
      </Group>
      <NewestRows
        list={list}
        noun="entry"
        nouns="entries"
        loading={
          <LoadingRows
            label="Loading the changes of node configurations"
            rows={10}
            height={rowHeight}
            narrowHeight={narrowHeight(networkConfigColumns, narrowCells)}
            frame="table"
          />
        }
        none="No one has changed the configuration of a node yet"
        noMatch={`No entry matches ${words}`}
        onClear={words === "" ? undefined : () => onFilter("")}
        limitedTo={words === "" ? "" : `, filtered by ${words}`}
      >
        {(entries) => (
          <LongTable
            className="netconf"
            label="Changes of node configurations"
            columns={networkConfigColumns}
            rows={entries}
            keyOf={({ id }) => id}
            rowHeight={rowHeight}
            narrowCells={narrowCells}
          />
        )}
      </NewestRows>
    </>
  );
}
