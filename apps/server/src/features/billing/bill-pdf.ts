import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bill, BillingFacilityItem, BillingLocationItem } from "@busbar/contract/billing.ts";
import pdfmake from "pdfmake";
import type { Content, TableCell } from "pdfmake";

const fontFolder = join(dirname(fileURLToPath(import.meta.resolve("pdfmake/package.json"))), "fonts", "Roboto");
let isReady = false;

// The fonts come with the library; a bill never makes it read another file or call anybody.
function prepare(): void {
  if (isReady) return;
  isReady = true;
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(fontFolder));
  const font = (name: string) => join(fontFolder, `Roboto-${name}.ttf`);
  for (const name of ["Regular", "Medium"]) readFileSync(font(name));
  pdfmake.setFonts({
    Roboto: { normal: font("Regular"), bold: font("Medium"), italics: font("Italic"), bolditalics: font("MediumItalic") },
  });
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const money = (cents: number): string => dollars.format(cents / 100);

// Longer ones would make their column so wide that those beside it leave the page.
const longestWord = 16;

/** Text that people wrote, broken anywhere when it has a word that may not fit. */
const free = (text: string): Extract<Content, { text: unknown }> => {
  const isLong = text.split(/\s/).some((word) => word.length > longestWord);
  return isLong ? { text, wordBreak: "break-all" } : { text };
};

/** Takes long for a large bill: see `bill-pdf-maker.ts`. The bill as it is sent: letter size, heading on every page, a table for each facility, what was left out at the end. */
export async function renderBillPdf(bill: Bill): Promise<Uint8Array> {
  prepare();
  const document = pdfmake.createPdf({
    info: { title: `Bill of ${bill.customerName} to ${bill.billToDate}`, author: bill.vendor.name },
    pageSize: "LETTER",
    pageMargins: [36, 40, 36, 44],
    defaultStyle: { font: "Roboto", fontSize: 8 },
    styles: { title: { fontSize: 18, bold: true }, total: { fontSize: 12, bold: true }, head: { bold: true, fillColor: "#eeeeee" } },
    footer: (page: number, pages: number) => ({ text: `Page ${page} of ${pages}`, alignment: "right", margin: [36, 12], fontSize: 8 }),
    content: [...heading(bill), ...bill.billingFacilityItems.map(facilityTable), ...total(bill), ...leftOut(bill)],
  });
  return document.getBuffer();
}

function heading({ vendor, customerName, invoiceNumber, terms, vendorId, purchaseOrder, billToDate, paidThruDate }: Bill): Content[] {
  const facts = [
    ["Bill to date", billToDate],
    ["Paid thru", paidThruDate],
    ["Invoice #", invoiceNumber],
    ["Terms", terms],
    ["Vendor #", vendorId],
    ["PO #", purchaseOrder],
  ].filter(([, value]) => value !== "");
  return [
    {
      columns: [
        [
          { ...free(vendor.name), bold: true, fontSize: 12 },
          free(vendor.addressLine1),
          free(`${vendor.city}, ${vendor.state} ${vendor.zipCode}`),
          { text: "Bill to", margin: [0, 12, 0, 0], color: "#555555" },
          { ...free(customerName), bold: true, fontSize: 12 },
        ],
        [
          { text: "Invoice", style: "title", alignment: "right" },
          ...facts.map(([name, value]): Content => ({ text: [`${name}  `, { ...free(value ?? ""), bold: true }], alignment: "right" })),
        ],
      ],
      margin: [0, 0, 0, 14],
    },
  ];
}

const right = (text: string): TableCell => ({ text, alignment: "right" });

const columnHeads = ["Location", "Node", "Status", "Deployed", "Paid thru", "Bill thru", "Years", "Per year", "Due"].map(
  (text, index): TableCell => ({ text, style: "head", alignment: index > 5 ? "right" : "left" }),
);

function facilityTable({ customerName, facilityName, amountFacilityTotal, billingLocationItems }: BillingFacilityItem): Content {
  const title: TableCell[] = [
    { ...free(`${customerName}, ${facilityName}`), colSpan: 8, bold: true, fontSize: 10 },
    ...Array.from({ length: 7 }, () => ""),
    { text: money(amountFacilityTotal), alignment: "right", bold: true },
  ];
  return {
    margin: [0, 0, 0, 10],
    layout: "lightHorizontalLines",
    table: {
      headerRows: 2,
      dontBreakRows: true,
      widths: ["*", 34, 62, 50, 50, 50, 32, 52, 56],
      body: [title, columnHeads, ...billingLocationItems.map(row)],
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
    right(String(yearsDue)),
    right(money(amountPerYear)),
    right(money(amountDue)),
  ];
}

function total({ amountTotal }: Bill): Content[] {
  return [
    {
      columns: [
        { text: "Total due", style: "total" },
        { text: money(amountTotal), style: "total", alignment: "right" },
      ],
      margin: [0, 4, 0, 12],
    },
  ];
}

function leftOut({ leftOut: locations }: Bill): Content[] {
  if (locations.length === 0) return [];
  return [
    { text: "Not on this bill", bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
    {
      layout: "lightHorizontalLines",
      table: {
        headerRows: 1,
        widths: ["*", "*", 40, 120],
        body: [
          ["Facility", "Location", "Node", "Why"].map((text): TableCell => ({ text, style: "head" })),
          ...locations.map(({ customerName, facilityName, locationName, serialNumber, reason }) => [
            free(`${customerName}, ${facilityName}`),
            free(locationName),
            serialNumber ?? "–",
            reason,
          ]),
        ],
      },
    },
  ];
}
