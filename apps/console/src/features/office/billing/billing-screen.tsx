import type { Bill, BillForm, RegisteredBill } from "@busbar/contract/office/billing.ts";
import { Anchor, Button } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { ReportActions } from "#ui/report-actions.tsx";
import { billLines } from "./bill-csv.ts";
import { BillFormFields } from "./bill-form.tsx";
import { BillPaper } from "./bill-paper.tsx";
import { BillRegister } from "./bill-register.tsx";
import { BilledAlready } from "./billed-already.tsx";
import { BilledMonth } from "./billed-month.tsx";
import { requestBill, requestPdf, requestRegisteredPdf, useBillingOrganizations } from "./billing.queries.ts";
import { usePdfTab } from "./use-pdf-tab.ts";
import { VoidBillDialog } from "./void-bill-dialog.tsx";

interface Shown {
  form: BillForm;
  bill: Bill;
}

export function BillingScreen() {
  const call = useApi();
  const asked = useBillingOrganizations();
  const { data: organizations } = asked;
  const [shown, setShown] = useState<Shown | undefined>();
  const [toVoid, setToVoid] = useState<RegisteredBill | undefined>();
  const { open, outcome, blockedPdf, forget } = usePdfTab();
  const { isWorking } = outcome;
  const isAsking = shown !== undefined && shown.bill.number === null && shown.bill.billedAlready.length > 0;

  /** With the number that it has now; what was shown before says the rest too. */
  const showAgain = (form: BillForm) => {
    void requestBill(call, form).then(
      (bill) => setShown({ form, bill }),
      () => undefined,
    );
  };
  const makeBill = async (form: BillForm, make: () => Promise<string | undefined>, refuse?: (error: unknown) => void): Promise<boolean> => {
    const isMade = await open(make, "The bill is ready", refuse);
    if (isMade) showAgain(form);
    return isMade;
  };
  const submit = (form: BillForm, refuse: (error: unknown) => void) =>
    makeBill(
      form,
      async () => {
        setShown(undefined);
        const bill = await requestBill(call, form);
        setShown({ form, bill });
        return bill.number === null && bill.billedAlready.length > 0 ? undefined : await requestPdf(call, bill);
      },
      refuse,
    );
  const openRegistered = (number: number) => void open(() => requestRegisteredPdf(call, number), `Bill ${number} is opened as it was made`);

  return (
    <>
      <div className="report-head no-print">
        <h1 className="page-title">Generate a Bill</h1>
        {shown && (
          <div className="report-head">
            {shown.bill.number !== null && (
              <Button
                variant="default"
                leftSection={<IconFileTypePdf size={14} aria-hidden />}
                disabled={isWorking}
                onClick={() => openRegistered(shown.bill.number ?? 0)}
              >
                Open PDF
              </Button>
            )}
            <ReportActions onCsv={() => downloadFile(`bill-${shown.bill.billToDate}.csv`, csvOf(billLines(shown.bill)))} />
          </div>
        )}
      </div>
      <Loaded of={asked} loading={<LoadingForm label="Loading the billing organizations" fields={1} />} />
      {organizations?.length === 0 && (
        <EmptyState title="There is no billing organization yet">
          <span>Make one from the command line: npm run admin -- billing-organization &lt;name&gt; --customers &lt;code,code&gt;</span>
        </EmptyState>
      )}
      {organizations && organizations.length > 0 && <BillFormFields organizations={organizations} onSubmit={submit} />}
      <div className="no-print">
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        {isAsking && !isWorking && (
          <BilledAlready bill={shown.bill} onConfirm={() => void makeBill(shown.form, () => requestPdf(call, shown.bill))} />
        )}
        {blockedPdf && (
          <Notice kind="warning">
            The browser opened no tab.{" "}
            <Anchor href={blockedPdf} target="_blank" onClick={forget}>
              Open the PDF
            </Anchor>{" "}
            within two minutes, once.
          </Notice>
        )}
      </div>
      {shown && <BillPaper bill={shown.bill} />}
      <BillRegister isWorking={isWorking} onOpen={openRegistered} onVoid={setToVoid} />
      <BilledMonth />
      <DialogSlot onClose={() => setToVoid(undefined)}>
        {toVoid && <VoidBillDialog bill={toVoid} onClose={() => setToVoid(undefined)} />}
      </DialogSlot>
    </>
  );
}
