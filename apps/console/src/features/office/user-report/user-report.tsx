import { counted } from "@busbar/contract/values/counted.ts";
import { Anchor, Button, Checkbox } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { downloadFile } from "#lib/download.ts";
import { Notice } from "#ui/notice.tsx";
import { Select } from "#ui/select.tsx";
import { previewOf } from "./csv-preview.ts";
import { useCustomerNames, useUserReport, type UserReportChoice } from "./user-report.queries.ts";
import "./user-report.css";

/** REP-05 */
export function UserReport() {
  const customers = useCustomerNames();
  const report = useUserReport();
  const [choice, setChoice] = useState<UserReportChoice>({ customerCode: "", includeInternalUsers: false, includeInactiveUsers: false });
  const change = (part: Partial<UserReportChoice>) => {
    setChoice({ ...choice, ...part });
    // What was listed for another choice must not be taken for this one's.
    report.reset();
  };
  return (
    <>
      <h1 className="page-title">Download User List</h1>
      <div className="user-report-tools no-print">
        <Select
          label="Filter by Customer"
          data={[{ value: "", label: "All Customers" }, ...(customers.data ?? []).map(({ code, name }) => ({ value: code, label: name }))]}
          value={choice.customerCode}
          allowDeselect={false}
          searchable
          w={320}
          onChange={(code) => change({ customerCode: code ?? "" })}
        />
        <Anchor
          component="button"
          type="button"
          size="sm"
          disabled={choice.customerCode === ""}
          onClick={() => change({ customerCode: "" })}
        >
          Reset to All Customers
        </Anchor>
      </div>
      {customers.error && <Notice kind="error">{failureMessage(customers.error)}</Notice>}
      <div className="user-report-tools no-print">
        <Checkbox
          label="Include Internal Users"
          checked={choice.includeInternalUsers}
          onChange={(event) => change({ includeInternalUsers: event.currentTarget.checked })}
        />
        <Checkbox
          label="Include Inactive Users"
          checked={choice.includeInactiveUsers}
          onChange={(event) => change({ includeInactiveUsers: event.currentTarget.checked })}
        />
        <Button loading={report.isPending} onClick={() => report.mutate(choice)}>
          Get CSV
        </Button>
      </div>
      {report.error && <Notice kind="error">{failureMessage(report.error)}</Notice>}
      {report.data && <Result csv={report.data.csvString} rowCount={report.data.rowCount} />}
    </>
  );
}

function Result({ csv, rowCount }: { csv: string; rowCount: number }) {
  const { text, isCut } = previewOf(csv);
  return (
    <>
      <div className="user-report-tools no-print">
        <output>{counted(rowCount, "user")} listed.</output>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => downloadFile("users.csv", new Blob([csv], { type: "text/csv" }))}
        >
          Download as CSV File
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard */}
      <section className="user-report-preview" tabIndex={0} aria-label="Preview">
        <pre className="mono">{text}</pre>
      </section>
      {isCut && <p className="dim">The preview ends here; the file has all {counted(rowCount, "user")}.</p>}
    </>
  );
}
