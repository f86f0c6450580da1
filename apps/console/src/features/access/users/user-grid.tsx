import { shownColumns } from "#ui/column.ts";
import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { userClass } from "./user-cells.tsx";
import { columnsOf, userColumns, type UserRecord, type UserRowActions } from "./user-columns.tsx";
import type { UserCriteria } from "./user-list.ts";

export interface UserGridProps extends UserRowActions {
  records: readonly UserRecord[];
  criteria: UserCriteria;
  onSort: (key: string) => void;
}

const usernameWidth = 260;

export function UserGrid({ records, criteria, onSort, ...on }: UserGridProps) {
  const columns = columnsOf(criteria.columns);
  return (
    <Grid
      label="Users"
      className="user-table"
      columns={columns}
      sortedColumns={userColumns}
      items={records}
      keyOf={({ user }) => user.id}
      on={on}
      classOf={({ user }) => userClass(user)}
      rowHeight={36}
      minWidth={shownColumns(columns).reduce((sum, { width = usernameWidth }) => sum + width, 0)}
      sort={criteria.sort}
      isDescending={criteria.isDescending}
      onSort={onSort}
      onOpen={({ user }) => on.onAction(user, "edit")}
      onSelect={on.selection && (({ user }, isRange) => on.selection?.toggle(String(user.id), isRange))}
      renderFoot={() => <GridKeys sideways="actions of a row" enter="edit" {...(on.selection ? { space: "choose" } : {})} />}
    />
  );
}
