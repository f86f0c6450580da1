import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Checkbox } from "@mantine/core";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { useDeferredValue, useMemo } from "react";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { SearchField } from "#ui/search-field.tsx";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { CustomerTree } from "./customer-tree.tsx";
import { useCustomers } from "./customers.queries.ts";
import { EarlierPlaces } from "./earlier-places.tsx";
import { exportCustomers } from "./export-customers.ts";
import type { TreePermissions, TreeRequest } from "./tree-actions.ts";
import { growBranches, type TreeBranch } from "./tree-branches.ts";
import { visibleTree, type VisibleTree } from "./tree-rows.ts";
import { useExpansion } from "./use-expansion.ts";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./customers.css";

export interface CustomersScreenProps {
  filterText: string;
  permissions: TreePermissions;
  onFilter: (filterText: string) => void;
  onRequest: (request: TreeRequest) => void;
}

/** CUS-01 */
export function CustomersScreen({ filterText, permissions, onFilter, onRequest }: CustomersScreenProps) {
  const asked = useCustomers();
  const { data } = asked;
  const isNarrow = useIsNarrow();
  // Typing stays immediate: the tree follows in a later render.
  const appliedFilter = useDeferredValue(filterText.trim());
  const expansion = useExpansion(appliedFilter);
  const branches = useMemo(() => growBranches(data ?? []), [data]);
  const visible = visibleTree(branches, appliedFilter, expansion.isExpanded);
  const addCustomer = () => onRequest({ kind: "add-customer" });

  return (
    <div className="list-page">
      <h1 className="page-title">ALL CUSTOMERS</h1>
      <search className="list-tools no-print">
        <SearchField label="Filter by customer, facility, location or serial number" value={filterText} onChange={onFilter} />
        <Checkbox
          label="Remember last expansion"
          checked={expansion.isRemembering}
          onChange={(event) => expansion.setRemembering(event.currentTarget.checked)}
        />
        <Button component="a" href="#/import" variant="default" ml="auto">
          Import
        </Button>
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={addCustomer}>
          Add customer
        </Button>
      </search>
      <Loaded
        of={asked}
        loading={<LoadingRows label="Loading the customers" rows={20} height={34} narrowHeight={76} hasCount frame="list" />}
      />
      {data && (
        <CountLine
          branches={branches}
          visible={visible}
          filterText={appliedFilter}
          onClear={() => onFilter("")}
          onExport={() => exportCustomers(branches, appliedFilter)}
        />
      )}
      <EarlierPlaces filterText={appliedFilter} />
      {data?.length === 0 && (
        <EmptyState title="There is no customer yet">
          <Button onClick={addCustomer}>Add customer</Button>
        </EmptyState>
      )}
      {data && data.length > 0 && visible.rows.length === 0 && (
        <EmptyState title={`Nothing matches “${appliedFilter}”`}>
          <Button variant="default" onClick={() => onFilter("")}>
            Show all customers
          </Button>
        </EmptyState>
      )}
      {visible.rows.length > 0 && (
        <CustomerTree rows={visible.rows} isNarrow={isNarrow} permissions={permissions} onToggle={expansion.toggle} onRequest={onRequest} />
      )}
    </div>
  );
}

interface CountLineProps {
  branches: readonly TreeBranch[];
  visible: VisibleTree;
  filterText: string;
  onClear: () => void;
  onExport: () => void;
}

function CountLine({ branches, visible, filterText, onClear, onExport }: CountLineProps) {
  const of = (shown: number, total: number, noun: string) =>
    shown === total ? counted(total, noun) : `${shown.toLocaleString("en-US")} of ${counted(total, noun)}`;
  return (
    <div className="list-count customers-count dim">
      <span>
        {of(visible.shown.length, branches.length, "customer")}, {of(visible.shownLocations, visible.totalLocations, "location")}
      </span>
      {filterText !== "" && (
        <Button variant="subtle" size="compact-xs" className="no-print" onClick={onClear}>
          Clear filter
        </Button>
      )}
      <Button
        variant="subtle"
        size="compact-xs"
        ml="auto"
        className="no-print"
        leftSection={<IconDownload size={13} aria-hidden />}
        disabled={visible.shownLocations === 0}
        onClick={onExport}
      >
        Export CSV
      </Button>
    </div>
  );
}
