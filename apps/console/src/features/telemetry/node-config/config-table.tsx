import { DataTable } from "#ui/data-table.tsx";
import { configColumns } from "./config-columns.tsx";
import { ConfigDraftOf, type ConfigDraftProps } from "./config-draft.tsx";
import type { ConfigRowData } from "./config-rows.ts";
import type { ValueMark } from "./save-together.ts";

export interface ConfigTableProps extends Pick<ConfigDraftProps, "values" | "onText" | "onSave"> {
  groups: readonly { group: string; rows: readonly ConfigRowData[] }[];
  /** What is typed, by key. */
  typed: ReadonlyMap<string, string>;
  /** Old values that are to be put back. */
  putBackKeys: ReadonlySet<string>;
  /** The node is asked again. */
  isFetching: boolean;
  /** What is on its way to the node. */
  workingKeys: readonly string[];
  marks: ReadonlyMap<string, ValueMark>;
}

export function ConfigTable({ groups, typed, putBackKeys, isFetching, workingKeys, marks, ...rest }: ConfigTableProps) {
  return (
    <DataTable
      className="config-table"
      aria-busy={isFetching}
      columns={configColumns}
      groups={groups.map(({ group, rows }) => ({ key: group, title: group, rows }))}
      keyOf={({ key }) => key}
      renderLive={(row, draw) => (
        <ConfigDraftOf
          row={row}
          typed={typed.get(row.key)}
          isPutBack={putBackKeys.has(row.key)}
          isBusy={workingKeys.length > 0 || isFetching}
          isWorking={workingKeys.includes(row.key)}
          mark={marks.get(row.key)}
          {...rest}
        >
          {draw}
        </ConfigDraftOf>
      )}
      rowProps={({ mark, isEdited }) => ({
        className: `${mark === "changed" ? "config-changed" : ""} ${isEdited ? "config-edited" : ""}`,
      })}
      isUnnamed
    />
  );
}
