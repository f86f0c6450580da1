import type { Bill, BillingFacilityItem, BillingLocationItem } from "@busbar/contract/office/billing.ts";
import pdfmake, { type Content, type TableCell } from "pdfmake";
import { free, prepareFonts } from "#lib/pdf-text.ts";
import { money } from "./money.ts";

/** Takes long for a large bill: see `bill-pdf-maker.ts`. The bill as it is sent: letter size, a table for each facility with its headings on every page. */
export async function renderBillPdf(bill: Bill): Promise<Uint8Array> {
  prepareFonts();
  const widths = columnWidths(bill.billingFacilityItems);
  const document = pdfmake.createPdf({
    info: { title: `Invoice ${bill.number ?? ""} to ${bill.customerName}`, author: bill.vendor.name },
    pageSize: "LETTER",
    pageMargins: [pageMargin, 40, pageMargin, 44],
    defaultStyle: { font: "Roboto", fontSize: 8 },
    styles: { title: { fontSize: 18, bold: true }, total: { fontSize: 12, bold: true }, head: { bold: true, fillColor: "#eeeeee" } },
    footer: (page: number, pages: number) => ({
      text: `Page ${page} of ${pages}`,
      alignment: "right",
      margin: [pageMargin, 12],
      fontSize: 8,
    }),
    content: [...heading(bill), ...bill.billingFacilityItems.map((item) => facilityTable(item, widths)), total(bill)],
  });
  return document.getBuffer();
}

const pageMargin = 36;
const textWidth = 612 - 2 * pageMargin;
const cellPadding = 3;

/**
 * All widths are fixed: in a column with a width pdfmake wraps text and breaks a word that does not fit, in any other one long word widens the
 * column and pushes those beside it off the paper. Amounts get what the longest of them needs, the location gets the rest.
 */
function columnWidths(items: readonly BillingFacilityItem[]): number[] {
  const amountWidth = (amounts: number[]) => amounts.reduce((most, amount) => Math.max(most, money(amount).length * widestGlyph), 48);
  const lines = items.flatMap(({ billingLocationItems }) => billingLocationItems);
  const others = [
    26,
    60,
    44,
    44,
    44,
    34,
    amountWidth(lines.map(({ amountPerYear }) => amountPerYear)),
    amountWidth([...items.map(({ amountFacilityTotal }) => amountFacilityTotal), ...lines.map((line) => line.amountDue)]),
  ];
  const taken = others.reduce((sum, width) => sum + width, 2 * cellPadding * (others.length + 1));
  return [textWidth - taken, ...others];
}

/** Of the glyphs of an amount: a bold figure of 8 points. */
const widestGlyph = 4.6;

function heading({
  number,
  vendor,
  customerName,
  invoiceNumber,
  terms,
  vendorId,
  purchaseOrder,
  billToDate,
  paidThruDate,
}: Bill): Content[] {
  const facts = [
    ["Bill #", String(number ?? "")],
    ["Bill to date", billToDate],
    ["Paid thru", paidThruDate],
    ["Invoice #", invoiceNumber],
    ["Terms", terms],
    ["Vendor #", vendorId],
    ["PO #", purchaseOrder],
  ].filter(([, value]) => value?.trim());
  return [
    {
      columns: [
        {
          width: 280,
          stack: [
            { ...free(vendor.name), bold: true, fontSize: 12 },
            free(vendor.addressLine1),
            free(`${vendor.city}, ${vendor.state} ${vendor.zipCode}`),
            { text: "Bill to", margin: [0, 12, 0, 0], color: "#555555" },
            { ...free(customerName), bold: true, fontSize: 12 },
          ],
        },
        {
          width: 248,
          alignment: "right",
          stack: [
            { text: "Invoice", style: "title" },
            ...facts.map(([name, value]): Content => ({ text: [`${name}  `, { ...free(value ?? ""), bold: true }] })),
          ],
        },
      ],
      columnGap: 12,
      margin: [0, 0, 0, 14],
    },
  ];
}

const amount = (cents: number) => ({ text: money(cents), alignment: "right", noWrap: true }) as const;
const columns = ["Location", "Node", "Status", "Deployed", "Paid thru", "Bill thru", "Years", "Per year", "Due"];
const isNumeric = (column: number): boolean => column > 5;

// pdfmake writes into the nodes that it is given: each table has its own.
const columnHeads = (): TableCell[] =>
  columns.map((text, index) => ({ text, style: "head", alignment: isNumeric(index) ? "right" : "left" }));

function facilityTable(
  { customerName, facilityName, amountFacilityTotal, billingLocationItems }: BillingFacilityItem,
  widths: number[],
): Content {
  const across = (cell: Extract<Content, { text: unknown }>, colSpan: number): TableCell[] => [
    { ...cell, colSpan, bold: true },
    ...Array.from({ length: colSpan - 1 }, () => ""),
  ];
  return {
    margin: [0, 0, 0, 10],
    layout: {
      hLineWidth: (line, { table }) => (line <= 1 || line === table.body.length ? 0 : 0.5),
      hLineColor: () => "#aaaaaa",
      vLineWidth: () => 0,
      paddingLeft: () => cellPadding,
      paddingRight: () => cellPadding,
    },
    table: {
      headerRows: 2,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths,
      body: [
        across({ ...free(`${customerName}, ${facilityName}`), fontSize: 10 }, columns.length),
        columnHeads(),
        ...billingLocationItems.map(row),
        [...across({ text: "Facility total", alignment: "right" }, columns.length - 1), { ...amount(amountFacilityTotal), bold: true }],
      ],
    },
  };
}

function row(item: BillingLocationItem): TableCell[] {
  const { locationName, serialNumber, deploymentStatus, deploymentDate, paidThruDate, billThruDate, yearsDue, amountPerYear, amountDue } =
    item;
  return [
    free(locationName),
    serialNumber,
    deploymentStatus,
    deploymentDate,
    paidThruDate,
    billThruDate,
    { text: String(yearsDue), alignment: "right" },
    amount(amountPerYear),
    amount(amountDue),
  ];
}

const total = ({ amountTotal }: Bill): Content => ({
  columns: [
    { text: "Total due", style: "total", width: "*" },
    { ...amount(amountTotal), style: "total", width: "auto" },
  ],
  unbreakable: true,
  margin: [0, 4, 0, 12],
});
