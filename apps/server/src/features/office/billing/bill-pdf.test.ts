import type { Bill, BillingLocationItem } from "@busbar/contract/office/billing.ts";
import * as fc from "fast-check";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { expect, test } from "vitest";
import { pdfPieces, type PdfPiece } from "#testing/pdf-pieces.ts";
import { createBillPdfMaker } from "./bill-pdf-maker.ts";
import { renderBillPdf } from "./bill-pdf.ts";

const [leftEdge, rightEdge] = [36, 612 - 36];
const heads = ["Location", "Node", "Status", "Deployed", "Paid thru", "Bill thru", "Years", "Per year", "Due"];

interface Place {
  customerName: string;
  facilityName: string;
  locations: { name: string; amountPerYear: number; amountDue: number }[];
}

/** Serial numbers count up from 10000, so that each line of the paper can be found again. */
function billOf(places: Place[], words: Partial<Bill> = {}): Bill {
  let serial = 10_000;
  const line = ({ name, ...amounts }: Place["locations"][number]): BillingLocationItem => ({
    locationId: serial,
    locationName: name,
    serialNumber: String(serial++),
    deploymentStatus: "Pre-Deployment",
    deploymentDate: "2026-10-12",
    paidThruDate: "2026-12-31",
    paidThruReason: "bill",
    billThruDate: "2027-12-31",
    billThruReason: "bill",
    yearsDue: 10.5027,
    wholeYears: 10,
    extraDays: 183,
    daysOfYear: 365,
    rateParts: [],
    ...amounts,
  });
  const facilities = places.map(({ customerName, facilityName, locations }) => ({
    customerName,
    facilityName,
    amountFacilityTotal: locations.reduce((sum, { amountDue }) => sum + amountDue, 0),
    billingLocationItems: locations.map(line),
  }));
  return {
    organizationId: 1,
    vendor: { name: "Busbar", addressLine1: "1 Example Street", city: "Anytown", state: "ZZ", zipCode: "00000" },
    paidThruDate: "2026-12-31",
    invoiceNumber: "2027-014",
    terms: "Net 30",
    vendorId: "",
    purchaseOrder: "",
    customerName: "Dunwickel Holdings",
    billToDate: "2027-12-31",
    voltaEnergy: false,
    amountTotal: facilities.reduce((sum, { amountFacilityTotal }) => sum + amountFacilityTotal, 0),
    billingFacilityItems: facilities,
    leftOut: [],
    number: 7,
    billedAlready: [],
    ...words,
  };
}

const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
const dense = (text: string) => text.normalize("NFC").replaceAll(/\s/g, "");
const textOf = ({ text }: PdfPiece) => text;
const inLine = (pieces: PdfPiece[], { page, y }: PdfPiece) => pieces.filter((piece) => piece.page === page && Math.abs(piece.y - y) < 0.5);

/** What is wrong with the paper of a bill, in sentences. */
async function faultsOf(bill: Bill): Promise<string[]> {
  const { pieces } = await pdfPieces(await renderBillPdf(bill));
  return [...outside(pieces), ...overlapping(pieces), ...wrongLines(bill, pieces), ...lost(bill, pieces)];
}

function outside(pieces: PdfPiece[]): string[] {
  const isOutside = ({ left, right }: PdfPiece) => left < leftEdge - 0.1 || right > rightEdge + 0.1;
  return [
    ...pieces.filter(isOutside).map(({ text, left, right }) => `${text} is outside the paper's edges: ${left} to ${right}`),
    ...pieces.filter(({ missingGlyphs }) => missingGlyphs > 0).map(({ text }) => `${text} has letters that are printed as boxes`),
  ];
}

function overlapping(pieces: PdfPiece[]): string[] {
  return [...Map.groupBy(pieces, ({ page, y }) => `${page}/${y.toFixed(1)}`).values()].flatMap((line) => {
    const ordered = line.toSorted((one, other) => one.left - other.left);
    return ordered.slice(1).flatMap((piece, index) => {
      const before = ordered[index]!;
      return piece.left < before.right - 0.1 ? [`${before.text} runs into ${piece.text}`] : [];
    });
  });
}

/** Amounts whole and under each other; as many headings on a page as facilities that have a line there. */
function wrongLines({ billingFacilityItems }: Bill, pieces: PdfPiece[]): string[] {
  const faults: string[] = [];
  const ends = new Set<string>();
  const tables = new Set<string>();
  for (const [index, { billingLocationItems }] of billingFacilityItems.entries())
    for (const { serialNumber, amountPerYear, amountDue } of billingLocationItems) {
      const node = pieces.find(({ text }) => text === serialNumber)!;
      const amounts = inLine(pieces, node)
        .toSorted((one, other) => one.left - other.left)
        .slice(-2);
      const printed = amounts.map(({ text }) => text).join(" ");
      const expected = `${money(amountPerYear)} ${money(amountDue)}`;
      if (printed !== expected) faults.push(`${serialNumber} has ${printed} for ${expected}`);
      ends.add(amounts.map(({ right }) => right.toFixed(0)).join(" and "));
      tables.add(`${node.page}/${index}`);
    }
  if (ends.size > 1) faults.push(`amounts end at ${[...ends].join(", ")}`);
  const headed = pieces
    .filter(({ text }) => text === "Years")
    .filter((piece) => dense(inLine(pieces, piece).map(textOf).join("")) === dense(heads.join("")))
    .map(({ page }) => page);
  const needed = [...tables].map((table) => Number(table.split("/")[0]));
  return headed.join() === needed.join() ? faults : [...faults, `headings on pages ${headed.join()} for tables on ${needed.join()}`];
}

function lost(bill: Bill, pieces: PdfPiece[]): string[] {
  const paper = dense(pieces.map(textOf).join(""));
  const { name, addressLine1, city } = bill.vendor;
  const words = [bill.customerName, bill.invoiceNumber, bill.terms, name, addressLine1, city];
  const names = bill.billingFacilityItems.flatMap(({ customerName, facilityName, billingLocationItems }) => [
    customerName,
    facilityName,
    ...billingLocationItems.map(({ locationName }) => locationName),
  ]);
  const totals = [bill.amountTotal, ...bill.billingFacilityItems.map((item) => item.amountFacilityTotal)].map(money);
  const isWhole = (total: string) => pieces.some(({ text }) => text === total);
  return [
    ...[...words, ...names].filter((text) => !paper.includes(dense(text))).map((text) => `${text} is not whole`),
    ...totals.filter((total) => !isWhole(total)).map((total) => `the total ${total} is not whole`),
  ];
}

const unbroken = "RECLAMATION_PUMP_SOUTH_OF_THE_UPPER_GATE"; // 40 characters
const lines = (count: number, name = unbroken, amountDue = 270_492) =>
  Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, amountPerYear: 180_000, amountDue }));

test("A-07 every table of a bill has its headings, on every page, with whole amounts beside 40 unbroken characters", async () => {
  const places = [3, 1, 90, 2, 61].map((count, index) => ({
    customerName: `Dunwickel ${unbroken}`,
    facilityName: `${unbroken} ${index}`,
    locations: lines(count),
  }));
  const bill = billOf(places);
  expect(await faultsOf(bill)).toEqual([]);
  expect((await pdfPieces(await renderBillPdf(bill))).pages).toBeGreaterThan(3);
});

test("A-63 a rule is drawn below a table's headings and below each of its lines, none around it", async () => {
  const { OPS } = await getResolvedPDFJS();
  const rulesOf = async (counts: number[]) => {
    const places = counts.map((count) => ({ customerName: "Dunwickel", facilityName: "Millbrook", locations: lines(count, "Pump") }));
    const document = await getDocumentProxy(new Uint8Array(await renderBillPdf(billOf(places))));
    const { fnArray, argsArray } = await (await document.getPage(1)).getOperatorList();
    const heights = fnArray.flatMap((operator, index) => {
      if (operator !== OPS.constructPath) return [];
      const [paint, , box] = argsArray[index] as [number, unknown, Record<number, number>];
      return paint === OPS.stroke ? [box[1]!.toFixed(1)] : [];
    });
    return new Set(heights).size;
  };
  expect([await rulesOf([1]), await rulesOf([3]), await rulesOf([1, 2])]).toEqual([2, 4, 5]);
});

test("A-30 the paper is an invoice with its number, and holds nothing of what is not on the bill", async () => {
  const left = {
    customerName: "Dunwickel",
    facilityName: "Millbrook",
    locationName: "Winder Drive",
    serialNumber: null,
    reason: "No node",
  };
  const facts = { leftOut: [left], vendorId: "V-31", purchaseOrder: "PO-4501" };
  const { title, pieces } = await pdfPieces(await renderBillPdf(billOf([], facts)));
  const words = dense(pieces.map(textOf).join(""));
  expect([title, words.includes("Invoice"), words.includes("Bill#7")]).toEqual(["Invoice 7 to Dunwickel Holdings", true, true]);
  expect(words).not.toMatch(/GenerateaBill|Notonthisbill|WinderDrive|Nonode/);
  // Each under its own name.
  const named = "Bill#7Billtodate2027-12-31Paidthru2026-12-31Invoice#2027-014TermsNet30Vendor#V-31PO#PO-4501";
  expect(words.replaceAll(":", "")).toContain(named);
});

test("A-07 the largest amounts that a bill can hold are printed whole", async () => {
  const locations = [
    { name: unbroken, amountPerYear: 900_719_925_474_099, amountDue: 900_719_925_474_099 },
    { name: "Pump 2", amountPerYear: 1, amountDue: 1 },
  ];
  expect(await faultsOf(billOf([{ customerName: "Dunwickel", facilityName: "Millbrook", locations }]))).toEqual([]);
});

test("A-07 letters of any script are printed, never as empty boxes", async () => {
  const names = [
    "Насосная станция №7",
    "Αντλία ύδρευσης",
    "Máquina ñ ő ł ß",
    "揚水ポンプ第二号機",
    "펌프",
    "מפעל",
    "مضخة",
    "पंप",
    "Pump 🛠 ⅔ → ✓",
  ];
  const places = names.map((name) => ({ customerName: name, facilityName: name, locations: lines(2, "Pump") }));
  const bill = billOf(places, { customerName: names.join(" "), terms: names.slice(0, 4).join(" ") });
  const { pieces } = await pdfPieces(await renderBillPdf(bill));
  expect([...outside(pieces), ...overlapping(pieces)]).toEqual([]);
  // Right-to-left and joined letters are drawn in another order than they are written.
  const paper = dense(pieces.map(textOf).join(""));
  expect(names.slice(0, 5).filter((name) => !paper.includes(dense(name)))).toEqual([]);
});

test("blanks before a name leave its letters inside the paper's edges", async () => {
  const places = [{ customerName: "   A", facilityName: "A", locations: lines(2, "   .") }];
  expect(outside((await pdfPieces(await renderBillPdf(billOf(places)))).pieces)).toEqual([]);
});

const word = fc
  .string({ unit: fc.constantFrom("A", "W", "M", "i", "_", "-", ".", ",", "1", "é", "Ж", "水", " "), minLength: 1, maxLength: 60 })
  .filter((text) => text.trim() !== "");
const place = fc.record({
  customerName: word,
  facilityName: word,
  locations: fc.array(fc.record({ name: word, amountPerYear: fc.nat(2_000_000_000), amountDue: fc.nat(2_000_000_000) }), {
    minLength: 1,
    maxLength: 8,
  }),
});

test("A-07 any bill keeps its headings, its amounts and its paper's edges", async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { maxLength: 4 }),
      fc.string({ unit: fc.constantFrom("A", "W", "i", "_", " ", "Ж"), maxLength: 60 }),
      async (places, text) => {
        expect(await faultsOf(billOf(places, { invoiceNumber: text, terms: text, vendorId: text, purchaseOrder: text }))).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});

test("P13 of bills that are asked for at once ten wait their turn, and no more", async () => {
  const make = createBillPdfMaker();
  // One that cannot be made takes a place like any other, and hardly any time.
  const asked = await Promise.allSettled(Array.from({ length: 12 }, () => make({} as Bill)));
  const isRefused = (made: PromiseSettledResult<unknown>) =>
    made.status === "rejected" && (made.reason as { status?: number }).status === 429;
  expect(asked.map(isRefused)).toEqual([...Array.from({ length: 10 }, () => false), true, true]);
});
