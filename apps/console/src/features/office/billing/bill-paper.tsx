import type { Bill, BillingFacilityItem, BillingLocationItem, LeftOutLocation } from "@busbar/contract/office/billing.ts";
import { useState } from "react";
import { formatMoney } from "#lib/format-money.ts";
import { cellOf, type Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { explainLine } from "./explain-line.ts";
import { usePrintTitle } from "./use-print-title.ts";

/** REP-02: everything that is on the bill; what is not and why stays on the screen. */
export function BillPaper({ bill }: { bill: Bill }) {
  usePrintTitle(`Invoice ${bill.number ?? ""} to ${bill.customerName}`);
  return (
    <section className="bill-paper" aria-label="Bill">
      <h1 className="bill-title">Invoice</h1>
      <BillFacts bill={bill} />
      {bill.billingFacilityItems.length === 0 && <p>Nothing is due: no location is on this bill.</p>}
      {bill.billingFacilityItems.map((facility) => (
        <FacilityLines key={`${facility.customerName}/${facility.facilityName}`} facility={facility} />
      ))}
      <p className="bill-total">
        <span>Total</span>
        <span>{formatMoney(bill.amountTotal)}</span>
      </p>
      {bill.leftOut.length > 0 && (
        <div className="no-print">
          <h2 className="section-title">Not on this bill ({bill.leftOut.length})</h2>
          <DataTable aria-label="Not on this bill" columns={leftOutColumns} rows={bill.leftOut} keyOf={keyOfLeftOut} />
        </div>
      )}
    </section>
  );
}

function BillFacts({ bill }: { bill: Bill }) {
  const { vendor } = bill;
  const facts = [
    ["Vendor", `${vendor.name}, ${vendor.addressLine1}, ${vendor.city}, ${vendor.state} ${vendor.zipCode}`],
    ["Customer", bill.customerName],
    ["Bill #", bill.number === null ? "" : String(bill.number)],
    ["Paid Thru", bill.paidThruDate],
    ["Bill To", bill.billToDate],
    ["Invoice #", bill.invoiceNumber],
    ["Terms", bill.terms],
    ["Vendor #", bill.vendorId],
    ["PO #", bill.purchaseOrder],
  ] as const;
  return (
    <dl className="bill-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

function FacilityLines({ facility }: { facility: BillingFacilityItem }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) =>
    setOpen((current) => {
      const next = new Set(current);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const name = `${facility.customerName}, ${facility.facilityName}`;
  const rows = facility.billingLocationItems.map((line) => ({
    line,
    isOpen: open.has(line.locationId),
    onToggle: () => toggle(line.locationId),
  }));
  return (
    <>
      <h2 className="bill-facility-head">
        <span>{name}</span>
        <span className="tabular">{formatMoney(facility.amountFacilityTotal)}</span>
      </h2>
      <DataTable
        aria-label={name}
        columns={shownColumns}
        rows={rows}
        keyOf={({ line }) => line.locationId}
        detail={({ line, isOpen }) => isOpen && explainLine(line).map((sentence) => <div key={sentence}>{sentence}</div>)}
      />
    </>
  );
}

interface ShownLine {
  line: BillingLocationItem;
  isOpen: boolean;
  onToggle: () => void;
}

export const lineColumns: readonly Column<BillingLocationItem>[] = [
  { label: "Location", text: (line) => line.locationName },
  { label: "Node", text: (line) => line.serialNumber, cell: (line) => <NodeLink serial={line.serialNumber} /> },
  { label: "Status", text: (line) => line.deploymentStatus },
  { label: "Deployment Date", text: (line) => line.deploymentDate },
  { label: "Paid Thru", text: (line) => line.paidThruDate },
  { label: "Bill Thru", text: (line) => line.billThruDate },
  { label: "Years Due", text: (line) => line.yearsDue, isRight: true },
  { label: "Amount Per Year", text: (line) => line.amountPerYear / 100, cell: (line) => formatMoney(line.amountPerYear), isRight: true },
  { label: "Amount Due", text: (line) => line.amountDue / 100, isRight: true },
];

const shownColumns: readonly Column<ShownLine>[] = lineColumns.map((column) => ({
  label: column.label,
  isRight: column.isRight ?? false,
  text: ({ line }) => column.text(line),
  cell: (row) => (column.label === "Amount Due" ? <AmountButton {...row} /> : cellOf(column, row.line, undefined)),
}));

function AmountButton({ line, isOpen, onToggle }: ShownLine) {
  return (
    <button
      type="button"
      className="plain-button bill-amount"
      aria-expanded={isOpen}
      aria-label={`${formatMoney(line.amountDue)} for ${line.locationName}: how it comes about`}
      onClick={onToggle}
    >
      {formatMoney(line.amountDue)}
    </button>
  );
}

export const leftOutColumns: readonly Column<LeftOutLocation>[] = [
  { label: "Facility", text: (row) => `${row.customerName}, ${row.facilityName}` },
  { label: "Location", text: (row) => row.locationName },
  {
    label: "Node",
    text: (row) => row.serialNumber ?? "–",
    cell: (row) => (row.serialNumber === null ? "–" : <NodeLink serial={row.serialNumber} />),
  },
  { label: "Why", text: (row) => row.reason },
];
const keyOfLeftOut = (row: LeftOutLocation) => `${row.customerName}/${row.facilityName}/${row.locationName}/${row.serialNumber}`;
