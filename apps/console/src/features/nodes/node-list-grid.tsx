import { Kbd } from "@mantine/core";
import { Fragment, memo, useRef, useState } from "react";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { SortHeader } from "#ui/sort-header.tsx";
import { indexOfSerial, useGridKeyboard } from "#ui/use-grid-keyboard.ts";
import { editRecord } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import { columnsOf } from "./node-list-columns.tsx";
import type { NodeListCriteria, SortKey } from "./node-list-criteria.ts";
import type { NodeRecord } from "./node-list-view.ts";

export interface NodeGridProps {
  records: NodeRecord[];
  criteria: NodeListCriteria;
  onSort: (key: SortKey) => void;
  actions: NodeActions;
}

const rowHeight = 46;
const headerHeight = 36;
const placeWidth = 220;

/** The table, with only the rows in sight in the page. */
export function NodeGrid({ records, criteria, onSort, actions }: NodeGridProps) {
  const { sort, isDescending, hasAllColumns } = criteria;
  const scroller = useRef<HTMLDivElement>(null);
  const [activeSerial, setActiveSerial] = useState<string | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const activeIndex = indexOfSerial(records, activeSerial);
  const columns = columnsOf(hasAllColumns);
  const { rows, gapAfter, scrollTo } = useRowWindow({
    count: records.length,
    rowHeight,
    scroller,
    overscan: 8,
    headerHeight,
    keyOf: (index) => records[index]?.serial ?? index,
    keptIndex: isFocused ? activeIndex : undefined,
  });
  const handlers = useGridKeyboard({
    records,
    activeIndex,
    rowHeight,
    scroller,
    scrollTo,
    onActive: setActiveSerial,
    onFocused: setIsFocused,
    onOpen: (record) => editRecord(record, actions),
  });
  const minWidth = columns.reduce((sum, { width }) => sum + (width ?? placeWidth), 0);

  return (
    <>
      <div className="grid-scroller" ref={scroller}>
        <table
          className="grid-table node-table"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the keyboard is a grid
          role="grid"
          aria-label="Nodes"
          aria-rowcount={records.length + 1}
          style={{ minWidth }}
          {...handlers}
        >
          <colgroup>
            {columns.map(({ label, width }) => (
              <col key={label} style={width === undefined ? undefined : { width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ label, sort: key }) => (
                <SortHeader
                  key={label}
                  label={label}
                  {...(key ? { sort: key } : {})}
                  sorted={sort}
                  isDescending={isDescending}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, gapBefore }) => {
              const record = records[index];
              return (
                record && (
                  <Fragment key={record.serial}>
                    <GapRow height={gapBefore} />
                    <NodeRow
                      record={record}
                      index={index}
                      isActive={index === activeIndex}
                      hasAllColumns={hasAllColumns}
                      actions={actions}
                    />
                  </Fragment>
                )
              );
            })}
            <GapRow height={gapAfter} />
          </tbody>
        </table>
      </div>
      <div className="grid-foot no-print" aria-hidden="true">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> rows, <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> actions of a row,{" "}
        <Kbd size="xs">Enter</Kbd> edit, <Kbd size="xs">?</Kbd> all keys
      </div>
    </>
  );
}

interface NodeRowProps {
  record: NodeRecord;
  index: number;
  isActive: boolean;
  hasAllColumns: boolean;
  actions: NodeActions;
}

const NodeRow = memo(function NodeRow({ record, index, isActive, hasAllColumns, actions }: NodeRowProps) {
  return (
    <tr className={`grid-row${index % 2 === 1 ? " is-odd" : ""}`} aria-rowindex={index + 2} data-row={index} tabIndex={isActive ? 0 : -1}>
      {columnsOf(hasAllColumns).map(({ label, render }) => (
        <td key={label}>{render(record, actions)}</td>
      ))}
    </tr>
  );
});
