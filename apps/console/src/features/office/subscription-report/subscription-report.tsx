import { counted } from "@busbar/contract/values/counted.ts";
import { getSubscriptionReport, type SubscriptionReportRow } from "@busbar/contract/office/subscription-report.ts";
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useApiQuery } from "#api/use-api-query.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { ReportActions } from "#ui/report-actions.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { filterSubscriptions, fullName, type SubscriptionFilter } from "./subscription-filter.ts";
import "./subscription-report.css";

// REP-04
const columns: readonly Column<SubscriptionReportRow>[] = [
  { label: "Name", text: fullName },
  { label: "username", text: (row) => row.username },
  { label: "Customer", text: (row) => row.customerName },
  { label: "Frequency", text: (row) => row.frequency },
  {
    label: "Subscriptions",
    text: (row) => row.subscribedFacilityList.map(({ name }) => name).join("; "),
    cell: (row) => (
      <ul className="bare-list">
        {row.subscribedFacilityList.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    ),
  },
];

export interface SubscriptionReportProps {
  filter: SubscriptionFilter;
  onFilter: (filter: SubscriptionFilter) => void;
}

export function SubscriptionReport({ filter, onFilter }: SubscriptionReportProps) {
  const asked = useApiQuery(getSubscriptionReport, {});
  const { data } = asked;
  const rows = filterSubscriptions(data ?? [], filter);
  const isFiltered = filter.filterText !== "" || filter.facilityFilterText !== "";
  const clear = (
    <Button variant="subtle" size="compact-xs" onClick={() => onFilter({ filterText: "", facilityFilterText: "" })}>
      Show all
    </Button>
  );
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Subscription Report</h1>
        {rows.length > 0 && <ReportActions onCsv={() => saveRows("subscriptions.csv", columns, rows)} />}
      </div>
      <search className="subscription-tools no-print">
        <SearchBox
          label="Search Anything (except Facility Name)"
          value={filter.filterText}
          onChange={(filterText) => onFilter({ ...filter, filterText })}
        />
        <SearchBox
          label="Filter Facility"
          value={filter.facilityFilterText}
          onChange={(facilityFilterText) => onFilter({ ...filter, facilityFilterText })}
        />
      </search>
      <Loaded of={asked} loading={<LoadingTable label="Loading the subscriptions" columns={columns} />} />
      {data?.length === 0 && <EmptyState title="No one is subscribed to a facility yet" />}
      {data && data.length > 0 && (
        <p className="dim">
          {rows.length} of {counted(data.length, "row")} {isFiltered && clear}
        </p>
      )}
      {data && data.length > 0 && rows.length === 0 && <EmptyState title="No subscription matches both texts">{clear}</EmptyState>}
      {rows.length > 0 && (
        <DataTable aria-label="Subscriptions" columns={columns} rows={rows} keyOf={(row) => `${row.username}/${row.frequency}`} />
      )}
    </>
  );
}

function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextInput
      type="search"
      label={label}
      spellCheck={false}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
