import type { User } from "@busbar/contract/access/users.ts";
import { Kbd } from "@mantine/core";
import { memo } from "react";
import { Grid, GridRow } from "#ui/grid.tsx";
import type { GridColumn, GridRowPlace } from "#ui/grid.tsx";
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

// USR-01: console-2 names the columns in small letters; a heading begins with a large one.
export const userColumns: GridColumn<UserSortKey>[] = [
  { label: "Username", sort: "username" },
  { label: "Email", sort: "email", width: 310 },
  { label: "Customer", sort: "customer", width: 240 },
  { label: "Actions", width: 250 },
];

export function UserGrid({ records, criteria, canResetTwoFactor, onSort, onAction }: UserGridProps) {
  return (
    <Grid
      label="Users"
      className="user-table"
      columns={userColumns}
      items={records}
      keyOf={({ user }) => user.id}
      rowHeight={36}
      minWidth={1060}
      sort={criteria.sort}
      isDescending={criteria.isDescending}
      onSort={onSort}
      onOpen={({ user }) => onAction(user, "edit")}
      renderRow={(record, place) => <UserRow record={record} canResetTwoFactor={canResetTwoFactor} onAction={onAction} {...place} />}
      renderFoot={() => (
        <span aria-hidden="true">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> rows, <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> actions of a row,{" "}
          <Kbd size="xs">Enter</Kbd> edit, <Kbd size="xs">?</Kbd> all keys
        </span>
      )}
    />
  );
}

interface UserRowProps extends GridRowPlace, Pick<UserGridProps, "canResetTwoFactor" | "onAction"> {
  record: UserRecord;
}

const UserRow = memo(function UserRow({ record: { user, customerName }, index, isActive, canResetTwoFactor, onAction }: UserRowProps) {
  return (
    <GridRow index={index} isActive={isActive} className={userClass(user)}>
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
    </GridRow>
  );
});
