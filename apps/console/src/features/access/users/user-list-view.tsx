import type { User } from "@busbar/contract/access/users.ts";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { searchedNames } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { ListBar } from "#ui/list-bar.tsx";
import { ListCount } from "#ui/list-count.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { SearchField } from "#ui/search-field.tsx";
import { useRowSelection } from "#ui/use-row-selection.ts";
import { ChosenUsers } from "./chosen-users.tsx";
import type { UserAction } from "./user-actions.tsx";
import { columnsOf, userColumns, usualColumns } from "./user-columns.tsx";
import { UserGrid } from "./user-grid.tsx";
import { filterRecords, namesByCode, recordsOf, sortRecords, type UserCriteria } from "./user-list.ts";
import { useCustomerNames, useUsers } from "./users.queries.ts";
import "./users.css";

export interface UserListProps {
  criteria: UserCriteria;
  onCriteria: (criteria: UserCriteria) => void;
  canResetTwoFactor: boolean;
  onAdd: () => void;
  onAction: (user: User, action: UserAction) => void;
  /** Where the subscriptions of those that are chosen are changed. */
  subscriptionsHref: (ids: readonly string[]) => string;
  /** The menu of saved views. */
  views: ReactNode;
}

const searchLabel = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(searchedNames(userColumns));

/** USR-01, USR-02 */
export function UserList({ criteria, onCriteria, canResetTwoFactor, onAdd, onAction, subscriptionsHref, views }: UserListProps) {
  const users = useUsers();
  const customerNames = useCustomerNames();
  const { filterText, sort, isDescending } = criteria;
  const records = useMemo(
    () => recordsOf(users.data ?? [], customerNames.data && namesByCode(customerNames.data)),
    [users.data, customerNames.data],
  );
  const sorted = useMemo(() => sortRecords(records, sort, isDescending), [records, sort, isDescending]);
  const shownFilter = useDeferredValue(filterText);
  const shown = useMemo(() => filterRecords(sorted, shownFilter), [sorted, shownFilter]);
  const selection = useRowSelection(useMemo(() => shown.map(({ user }) => String(user.id)), [shown]));
  const onSort = (key: string) => onCriteria({ ...criteria, sort: key, isDescending: key === sort && !isDescending });
  const showAll = () => onCriteria({ ...criteria, filterText: "" });

  return (
    <div className="list-page">
      <h1 className="page-title">Users</h1>
      <search className="list-tools users-tools no-print">
        <SearchField label={searchLabel} value={filterText} onChange={(text) => onCriteria({ ...criteria, filterText: text })} />
        <Button component="a" href="#/import?of=users" variant="default" ml="auto">
          Import
        </Button>
        <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          Add user
        </Button>
      </search>
      <ListBar
        columns={userColumns}
        usual={usualColumns}
        choice={criteria.columns}
        onChoice={(columns) => onCriteria({ ...criteria, columns })}
        noun="user"
        hiddenCount={records.length - shown.length}
        hiddenBy={["search"]}
      >
        {views}
      </ListBar>
      <Loaded
        of={users}
        loading={
          <LoadingRows
            label="Loading the users"
            rows={20}
            height={36}
            narrowHeight={itemHeightOf(columnsOf(criteria.columns))}
            hasCount
            frame="grid"
          />
        }
      />
      {customerNames.error && <Notice kind="warning">The names of the customers are missing: {failureMessage(customerNames.error)}</Notice>}
      {users.data && (
        <>
          <ListCount
            shown={shown.length}
            total={records.length}
            noun="user"
            isFiltered={filterText !== ""}
            onClear={showAll}
            onExport={() => saveRows("users.csv", userColumns, shown)}
          >
            <ChosenUsers selection={selection} matching={shown} subscriptionsHref={subscriptionsHref} />
          </ListCount>
          {records.length === 0 && <EmptyState title="There are no users yet" />}
          {records.length > 0 && shown.length === 0 && (
            <EmptyState title={`No user matches “${shownFilter.trim()}”`}>
              <Button variant="default" onClick={showAll}>
                Show all users
              </Button>
            </EmptyState>
          )}
          {shown.length > 0 && <UserGrid records={shown} onSort={onSort} {...{ criteria, canResetTwoFactor, onAction, selection }} />}
        </>
      )}
    </div>
  );
}
