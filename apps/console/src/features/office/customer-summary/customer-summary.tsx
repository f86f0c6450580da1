import { counted } from "@busbar/contract/values/counted.ts";
import { getCustomerSummary, type CustomerSummary as Summary, type CustomerSummaryRow } from "@busbar/contract/office/customer-summary.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { ReportActions } from "#ui/report-actions.tsx";
import { csvLines, type Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";

// REP-03
const columns: readonly Column<CustomerSummaryRow>[] = [
  { label: "Customer", text: (row) => row.customerName },
  { label: "Nodes Deployed", text: (row) => row.deployedNodeCount },
  { label: "Nodes Predeployed", text: (row) => row.preDeployedNodeCount },
  { label: "Nodes Unassigned", text: (row) => row.unassignedNodeCount },
];

export function CustomerSummary() {
  const asked = useApiQuery(getCustomerSummary, {});
  const { data } = asked;
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Customer Summary</h1>
        {data && data.customerList.length > 0 && (
          <ReportActions
            onCsv={() => downloadFile("customer-summary.csv", csvOf([...csvLines(columns, data.customerList), totalOf(data)]))}
          />
        )}
      </div>
      <Loaded of={asked} loading={<LoadingTable label="Loading the summary" columns={columns} />} />
      {data?.customerList.length === 0 && <EmptyState title="There is no customer yet" />}
      {data && data.customerList.length > 0 && (
        <DataTable
          aria-label="Customers"
          columns={columns}
          rows={data.customerList}
          keyOf={(row) => row.customerCode}
          total={totalOf(data)}
        />
      )}
      {data && data.nodesOfNoCustomerCount > 0 && (
        <p className="dim">
          {counted(data.nodesOfNoCustomerCount, "node belongs to no customer and is", "nodes belong to no customer and are")} not counted.
        </p>
      )}
    </>
  );
}

const totalOf = (summary: Summary): (string | number)[] => [
  "Total",
  summary.totalDeployedNodeCount,
  summary.totalPreDeployedNodeCount,
  summary.totalUnassignedNodeCount,
];
