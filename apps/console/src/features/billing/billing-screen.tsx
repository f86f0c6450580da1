import type { Bill, BillForm } from "@busbar/contract/billing.ts";
import { Anchor, Button } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#api/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { EmptyState, FailureState, LoadingRows } from "#ui/data-states.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import type { Message } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { ReportActions } from "#ui/report-actions.tsx";
import { billLines } from "./bill-csv.ts";
import { BillFormFields } from "./bill-form.tsx";
import { BillPaper } from "./bill-paper.tsx";
import { requestBill, requestPdf, useBillingOrganizations } from "./billing.queries.ts";
import { openNewTab } from "./new-tab.ts";

export function BillingScreen() {
  const call = useApi();
  const { data: organizations, error, refetch } = useBillingOrganizations();
  const [bill, setBill] = useState<Bill | undefined>();
  const [message, setMessage] = useState<Message | undefined>();
  /** Where the file waits when the browser opened no tab. */
  const [blockedPdf, setBlockedPdf] = useState<string | undefined>();

  const openPdf = async (make: () => Promise<Bill>) => {
    const tab = openNewTab("Bill");
    setBlockedPdf(undefined);
    setMessage({ kind: "working", text: "Sending request to server..." });
    try {
      const address = await requestPdf(call, await make());
      if (!tab.go(address)) setBlockedPdf(address);
      setMessage({ kind: "success", text: "The bill is ready" });
    } catch (failure) {
      tab.close();
      setMessage({ kind: "error", text: failureMessage(failure) });
    }
  };
  const submit = (form: BillForm) =>
    void openPdf(async () => {
      setBill(undefined);
      const requested = await requestBill(call, form);
      setBill(requested);
      return requested;
    });

  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Generate a Bill</h1>
        {bill && (
          <div className="report-head no-print">
            <Button
              variant="default"
              leftSection={<IconFileTypePdf size={14} aria-hidden />}
              disabled={message?.kind === "working"}
              onClick={() => void openPdf(() => Promise.resolve(bill))}
            >
              Open PDF
            </Button>
            <ReportActions onCsv={() => downloadFile(`bill-${bill.billToDate}.csv`, csvOf(billLines(bill)))} />
          </div>
        )}
      </div>
      {!organizations && !error && <LoadingRows label="Loading the billing organizations" rows={3} />}
      {!organizations && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {organizations?.length === 0 && (
        <EmptyState title="There is no billing organization yet">
          <span>Make one from the command line: npm run admin -- billing-organization &lt;name&gt; --customers &lt;code,code&gt;</span>
        </EmptyState>
      )}
      {organizations && organizations.length > 0 && (
        <BillFormFields organizations={organizations} isWorking={message?.kind === "working"} onSubmit={submit} />
      )}
      <div className="no-print">
        <MessageLine message={message} onCleared={() => setMessage(undefined)} />
        {blockedPdf && (
          <Notice kind="warning">
            The browser opened no tab.{" "}
            <Anchor href={blockedPdf} target="_blank" onClick={() => setBlockedPdf(undefined)}>
              Open the PDF
            </Anchor>{" "}
            within two minutes, once.
          </Notice>
        )}
      </div>
      {bill && <BillPaper bill={bill} />}
    </>
  );
}
