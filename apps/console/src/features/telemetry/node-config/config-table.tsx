import { DataTable } from "#ui/data-table.tsx";
import { configColumns } from "./config-columns.tsx";
import { ConfigDraftOf } from "./config-draft.tsx";
import type { ConfigDraftProps } from "./config-draft.tsx";
import type { ConfigRowData } from "./config-rows.ts";

export interface ConfigTableProps extends Pick<ConfigDraftProps, "serial" | "values" | "onSave"> {
  groups: readonly { group: string; rows: readonly ConfigRowData[] }[];
  /** The node is asked again. */
  isFetching: boolean;
  /** What is on its way to the node. */
  workingKey: string | undefined;
  changedKeys: readonly string[];
}

export function ConfigTable({ serial, groups, values, isFetching, workingKey, changedKeys, onSave }: ConfigTableProps) {
  return (
    <DataTable
      className="config-table"
      aria-busy={isFetching}
      columns={configColumns}
      groups={groups.map(({ group, rows }) => ({ key: group, title: group, rows }))}
      keyOf={({ key }) => key}
      renderLive={(row, draw) => (
        <ConfigDraftOf
          serial={serial}
          row={row}
          values={values}
          isBusy={workingKey !== undefined || isFetching}
          isWorking={workingKey === row.key}
          isChanged={changedKeys.includes(row.key)}
          onSave={onSave}
        >
          {draw}
        </ConfigDraftOf>
      )}
      rowProps={({ isChanged, isEdited }) => ({
        className: `${isChanged ? "config-changed" : ""} ${isEdited ? "config-edited" : ""}`,
      })}
      isUnnamed
    />
  );
}
