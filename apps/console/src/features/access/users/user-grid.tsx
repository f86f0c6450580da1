import { Grid } from "#ui/grid.tsx";
import { GridKeys } from "#ui/grid-keys.tsx";
import { userClass } from "./user-cells.tsx";
import { userColumns } from "./user-columns.tsx";
import type { UserRowActions } from "./user-columns.tsx";
import type { UserCriteria, UserRecord } from "./user-list.ts";

export interface UserGridProps extends UserRowActions {
  records: readonly UserRecord[];
  criteria: UserCriteria;
  onSort: (key: string) => void;
}

export function UserGrid({ records, criteria, canResetTwoFactor, onSort, onAction }: UserGridProps) {
  return (
    <Grid
      label="Users"
      className="user-table"
      columns={userColumns}
      items={records}
      keyOf={({ user }) => user.id}
      on={{ canResetTwoFactor, onAction }}
      classOf={({ user }) => userClass(user)}
      rowHeight={36}
      minWidth={1060}
      sort={criteria.sort}
      isDescending={criteria.isDescending}
      onSort={onSort}
      onOpen={({ user }) => onAction(user, "edit")}
      renderFoot={() => <GridKeys sideways="actions of a row" enter="edit" />}
    />
  );
}
