import type { User } from "@busbar/contract/users.ts";
import { Fragment, memo, useRef, useState } from "react";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { useGridKeyboard } from "#ui/use-grid-keyboard.ts";
import { UserActions } from "./user-actions.tsx";
import type { UserAction } from "./user-actions.tsx";
import { CutText, UserMarks, userClass } from "./user-cells.tsx";
import type { UserCriteria, UserRecord, UserSortKey } from "./user-list.ts";

export interface UserGridProps {
  records: readonly UserRecord[];
  criteria: UserCriteria;
  canResetTwoFactor: boolean;
  onSort: (key: UserSortKey) => void;
  onAction: (user: User, action: UserAction) => void;
}

const rowHeight = 36;
const headerHeight = 34;

// USR-01: console-2 names the columns in small letters; a heading begins with a large one.
const columns: { key: UserSortKey; label: string }[] = [
  { key: "username", label: "Username" },
  { key: "email", label: "Email" },
  { key: "customer", label: "Customer" },
];

/** The table, with only the rows in sight in the page. */
export function UserGrid({ records, criteria, canResetTwoFactor, onSort, onAction }: UserGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<number | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const activeIndex = Math.max(0, activeId === undefined ? 0 : records.findIndex(({ user }) => user.id === activeId));
  const { rows, gapAfter, scrollTo } = useRowWindow({
    count: records.length,
    rowHeight,
    scroller,
    overscan: 10,
    headerHeight,
    keyOf: (index) => records[index]?.user.id ?? index,
    keptIndex: isFocused ? activeIndex : undefined,
  });
  const handlers = useGridKeyboard({
    count: records.length,
    activeIndex,
    rowHeight,
    scroller,
    scrollTo,
    onActive: (index) => setActiveId(records[index]?.user.id),
    onFocused: setIsFocused,
    onOpen: (index) => {
      const record = records[index];
      if (record) onAction(record.user, "edit");
    },
  });

  return (
    <div className="user-scroller" ref={scroller}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the keyboard is a grid */}
      <table className="user-table" role="grid" aria-label="Users" aria-rowcount={records.length + 1} {...handlers}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" aria-sort={key === criteria.sort ? (criteria.isDescending ? "descending" : "ascending") : "none"}>
                <button type="button" className="plain-button sort-button" onClick={() => onSort(key)}>
                  {label} <span aria-hidden="true">{key === criteria.sort ? (criteria.isDescending ? "▼" : "▲") : ""}</span>
                </button>
              </th>
            ))}
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ index, gapBefore }) => {
            const record = records[index];
            return (
              record && (
                <Fragment key={record.user.id}>
                  <GapRow height={gapBefore} />
                  <UserRow
                    record={record}
                    index={index}
                    isActive={index === activeIndex}
                    canResetTwoFactor={canResetTwoFactor}
                    onAction={onAction}
                  />
                </Fragment>
              )
            );
          })}
          <GapRow height={gapAfter} />
        </tbody>
      </table>
    </div>
  );
}

interface UserRowProps extends Pick<UserGridProps, "canResetTwoFactor" | "onAction"> {
  record: UserRecord;
  index: number;
  isActive: boolean;
}

const UserRow = memo(function UserRow({ record: { user, customerName }, index, isActive, canResetTwoFactor, onAction }: UserRowProps) {
  return (
    <tr
      className={`grid-row${index % 2 === 1 ? " is-odd" : ""}${userClass(user)}`}
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
    >
      <td>
        <span className="user-name">
          <CutText text={user.username} limit={18} />
        </span>{" "}
        <UserMarks user={user} />
      </td>
      <td>
        <CutText text={user.email} limit={32} />
      </td>
      <td>
        <CutText text={customerName} limit={22} />
      </td>
      <td>
        <UserActions user={user} canResetTwoFactor={canResetTwoFactor} onAction={onAction} />
      </td>
    </tr>
  );
});
