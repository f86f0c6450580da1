import { counted } from "@busbar/contract/values/counted.ts";
import type { User } from "@busbar/contract/access/users.ts";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useDeferredValue, useMemo } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { formatCount } from "#lib/format-number.ts";
import { searchedNames } from "#ui/column.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { SearchField } from "#ui/search-field.tsx";
import type { UserAction } from "./user-actions.tsx";
import { userColumns } from "./user-columns.tsx";
import { UserGrid } from "./user-grid.tsx";
import { filterRecords, namesByCode, recordsOf, sortRecords } from "./user-list.ts";
import type { UserCriteria } from "./user-list.ts";
import { useCustomerNames, useUsers } from "./users.queries.ts";
import "./users.css";

export interface UserListProps {
  criteria: UserCriteria;
  onCriteria: (criteria: UserCriteria) => void;
  canResetTwoFactor: boolean;
  onAdd: () => void;
  onAction: (user: User, action: UserAction) => void;
}

const searchLabel = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(searchedNames(userColumns));

/** USR-01, USR-02 */
export function UserList({ criteria, onCriteria, canResetTwoFactor, onAdd, onAction }: UserListProps) {
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
  const onSort = (key: string) => onCriteria({ ...criteria, sort: key, isDescending: key === sort && !isDescending });
  const showAll = () => onCriteria({ ...criteria, filterText: "" });

  return (
    <div className="list-page">
      <h1 className="page-title">Users</h1>
      <search className="list-tools users-tools no-print">
        <SearchField label={searchLabel} value={filterText} onChange={(text) => onCriteria({ ...criteria, filterText: text })} />
        <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          Add user
        </Button>
      </search>
      {!users.data && !users.error && (
        <LoadingRows label="Loading the users" rows={20} height={36} narrowHeight={itemHeightOf(userColumns)} hasCount frame="grid" />
      )}
      {!users.data && users.error && <FailureState message={failureMessage(users.error)} onRetry={() => void users.refetch()} />}
      {users.data && users.error && <Notice kind="warning">{failureMessage(users.error)} The list may be out of date.</Notice>}
      {customerNames.error && <Notice kind="warning">The names of the customers are missing: {failureMessage(customerNames.error)}</Notice>}
      {users.data && (
        <>
          <div className="list-count tabular">
            {formatCount(shown.length)} of {counted(records.length, "user")}
            {shown.length < records.length && (
              <Button variant="subtle" size="compact-xs" onClick={showAll}>
                Show all
              </Button>
            )}
          </div>
          {records.length === 0 && <EmptyState title="There are no users yet" />}
          {records.length > 0 && shown.length === 0 && (
            <EmptyState title={`No user matches “${shownFilter.trim()}”`}>
              <Button variant="default" onClick={showAll}>
                Show all users
              </Button>
            </EmptyState>
          )}
          {shown.length > 0 && (
            <UserGrid records={shown} criteria={criteria} canResetTwoFactor={canResetTwoFactor} onSort={onSort} onAction={onAction} />
          )}
        </>
      )}
    </div>
  );
}
