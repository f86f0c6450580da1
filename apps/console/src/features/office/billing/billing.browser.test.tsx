import type { Bill, BillingLocationItem, RegisteredBill } from "@busbar/contract/office/billing.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { BillingScreen } from "./billing-screen.tsx";

const line: BillingLocationItem = {
  locationId: 1,
  locationName: "Feed Pump",
  serialNumber: "10101",
  deploymentStatus: "Deployed",
  deploymentDate: "2024-05-01",
  paidThruDate: "2026-12-31",
  paidThruReason: "bill",
  billThruDate: "2027-12-31",
  billThruReason: "bill",
  yearsDue: 1,
  wholeYears: 1,
  extraDays: 0,
  daysOfYear: 0,
  rateParts: [
    { name: "Monitoring", amountPerYear: 150_000 },
    { name: "Energy", amountPerYear: 30_050 },
  ],
  amountPerYear: 180_050,
  amountDue: 180_050,
};
const partly: BillingLocationItem = {
  ...line,
  locationId: 2,
  locationName: "Fan",
  serialNumber: "10102",
  paidThruReason: "location",
  billThruReason: "billing end",
  yearsDue: 0.5,
  wholeYears: 0,
  extraDays: 183,
  daysOfYear: 366,
  rateParts: [{ name: "Monitoring", amountPerYear: 150_000 }],
  amountPerYear: 150_000,
  amountDue: 75_000,
};
const statement = { paidThruDate: "2026-12-31", invoiceNumber: "I-7", terms: "net 30", vendorId: "V-1", purchaseOrder: "" };
const bill: Bill = {
  organizationId: 2,
  vendor: { name: "Busbar Inc", addressLine1: "1 Main St", city: "Salem", state: "OR", zipCode: "97301" },
  ...statement,
  customerName: "Birch",
  billToDate: "2027-12-31",
  voltaEnergy: true,
  amountTotal: 255_050,
  billingFacilityItems: [
    { facilityName: "North Works", customerName: "Birch", amountFacilityTotal: 255_050, billingLocationItems: [line, partly] },
  ],
  leftOut: [
    { customerName: "Birch", facilityName: "South Works", locationName: "Mill", serialNumber: null, reason: "No node" },
    { customerName: "Birch", facilityName: "South Works", locationName: "Saw", serialNumber: "10103", reason: "Paid" },
  ],
  number: null,
  billedAlready: [],
};
const registered = (number: number, changed: Partial<RegisteredBill> = {}): RegisteredBill => ({
  number,
  madeAt: 1_790_000_000,
  madeBy: "rowan",
  organizationId: 2,
  customerName: "Birch",
  paidThruDate: "2026-12-31",
  billToDate: "2027-12-31",
  invoiceNumber: "",
  voltaEnergy: false,
  amountTotal: 255_050,
  locationCount: 2,
  voidedAt: null,
  voidedBy: null,
  voidReason: null,
  ...changed,
});
const months = { organizations: [] as unknown[] };

/** A tab as the browser gives it; `undefined` where it gives none. */
function watchTab(isAllowed = true) {
  const tab = { opener: {}, document: { title: "" }, closed: false, location: { replace: vi.fn() }, close: vi.fn() };
  vi.spyOn(window, "open").mockReturnValue(isAllowed ? (tab as unknown as Window) : null);
  return tab;
}
afterEach(() => vi.restoreAllMocks());

async function open(answers: Parameters<typeof fakeApi>[0] = {}) {
  const api = fakeApi({
    "GET /billing/organizations": () => [
      { id: 1, name: "Alder", isDefault: false },
      { id: 2, name: "Birch", isDefault: true },
    ],
    "GET /billing/organizations/{id}/bill": () => bill,
    "POST /billing/pdf": () => "abc",
    "GET /billing/bills": () => ({ bills: [], hasOlder: false }),
    "GET /billing/months/{month}": () => months,
    ...answers,
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <BillingScreen />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const asked = (endpoint: string) => api.asked.filter((call) => call.endpoint === endpoint).map(({ input }) => input);
  return { api, screen, asked };
}
type Shown = Awaited<ReturnType<typeof open>>["screen"];
const rowsOf = (screen: Shown, name: string) =>
  [...screen.getByRole("table", { name }).element().querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map(({ textContent }) => textContent),
  );
const makeBill = (screen: Shown) => screen.getByRole("button", { name: "Get Bill and PDF" }).click();

test("REP-01 the form begins with the default organization and these years, and is sent as it was filled in; the PDF opens in a tab", async () => {
  const year = new Date().getFullYear();
  const tab = watchTab();
  const { screen, asked } = await open();
  await expect.element(screen.getByRole("combobox", { name: "Billing Organization" })).toHaveValue("Birch");
  await expect.element(screen.getByLabelText(/^Paid Thru/)).toHaveValue(`${year}-12-31`);
  await expect.element(screen.getByLabelText(/^Bill To/)).toHaveValue(`${year + 1}-12-31`);
  await screen.getByLabelText(/^Paid Thru/).fill("2026-12-31");
  await screen.getByLabelText(/^Bill To/).fill("2026-12-31");
  await expect.element(screen.getByText("Bill To is after Paid Thru")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Get Bill and PDF" })).toBeDisabled();
  await screen.getByLabelText(/^Bill To/).fill("2027-12-31");
  for (const [label, text] of [
    ["Invoice #", "I-7"],
    ["Terms", "net 30"],
    ["Vendor #", "V-1"],
    ["PO #", "P-9"],
  ] as const)
    await screen.getByLabelText(label).fill(text);
  await screen.getByLabelText("Energy").click();
  await makeBill(screen);
  await expect.element(screen.getByText(/^The bill is ready/)).toBeVisible();
  expect(asked("GET /billing/organizations/{id}/bill")[0]).toEqual({
    params: { id: "2" },
    query: { ...statement, purchaseOrder: "P-9", billDate: "2027-12-31", voltaEnergy: "true" },
  });
  expect(asked("POST /billing/pdf")).toEqual([{ body: bill }]);
  expect([tab.opener, tab.document.title, tab.location.replace.mock.lastCall]).toEqual([
    null,
    "Invoice",
    [expect.stringMatching(/download.*abc/)],
  ]);
  // Nothing is left to be saved.
  await screen.getByLabelText("Energy").click();
  await makeBill(screen);
  await expect.poll(() => asked("GET /billing/organizations/{id}/bill").at(-1)).toMatchObject({ query: { voltaEnergy: "false" } });
});

test("REP-02 the bill says each line and how its amount comes about, what is not on it, and goes to a file", async () => {
  watchTab();
  const files: { name: string; blob: Blob }[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    files.push({ name: "", blob: blob as Blob });
    return "blob:none";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    files.at(-1)!.name = this.download;
  });
  let made = bill;
  const { screen, asked } = await open({
    "GET /billing/organizations/{id}/bill": () => made,
    "POST /billing/pdf": () => {
      made = { ...bill, number: 12 };
      return "abc";
    },
    "POST /billing/bills/{number}/pdf": () => "def",
  });
  await makeBill(screen);
  const paper = screen.getByRole("region", { name: "Bill", exact: true });
  await expect.element(paper.getByText("Bill #", { exact: true }).element().parentElement!).toHaveTextContent("Bill #12");
  expect([...paper.element().querySelectorAll(".bill-facts > div")].map(({ textContent }) => textContent)).toEqual([
    "VendorBusbar Inc, 1 Main St, Salem, OR 97301",
    "CustomerBirch",
    "Bill #12",
    "Paid Thru2026-12-31",
    "Bill To2027-12-31",
    "Invoice #I-7",
    "Termsnet 30",
    "Vendor #V-1",
    "PO #–",
  ]);
  await expect.element(paper.getByRole("heading", { name: /^Birch, North Works/ })).toHaveTextContent("Birch, North Works$2,550.50");
  expect(paper.element().querySelector(".bill-total")?.textContent).toBe("Total$2,550.50");
  const first = ["Feed Pump", "10101", "Deployed", "2024-05-01", "2026-12-31", "2027-12-31", "1", "$1,800.50", "$1,800.50"];
  const second = ["Fan", "10102", "Deployed", "2024-05-01", "2026-12-31", "2027-12-31", "0.5", "$1,500.00", "$750.00"];
  expect(rowsOf(screen, "Birch, North Works")).toEqual([first, second]);
  await screen.getByRole("button", { name: "$1,800.50 for Feed Pump: how it comes about" }).click();
  await screen.getByRole("button", { name: "$750.00 for Fan: how it comes about" }).click();
  expect([...paper.element().querySelectorAll(".detail-row div")].map(({ textContent }) => textContent)).toEqual([
    "Rate: Monitoring $1,500.00 + Energy $300.50 = $1,800.50 a year (Deployed since 2024-05-01).",
    "Time: 1 year, from the day after 2026-12-31 (Paid Thru of this bill) to 2027-12-31 (Bill To of this bill).",
    "$1,800.50 × 1 year = $1,800.50.",
    "Rate: Monitoring $1,500.00 a year (Deployed since 2024-05-01).",
    "Time: 183 of 366 days, from the day after 2026-12-31 (the location's own date) to 2027-12-31 (its billing ends then).",
    "$1,500.00 × 183 of 366 days = $750.00.",
  ]);
  await screen.getByRole("button", { name: "$750.00 for Fan: how it comes about" }).click();
  expect(paper.element().querySelectorAll(".detail-row")).toHaveLength(1);
  await expect.element(paper.getByRole("heading", { name: "Not on this bill (2)" })).toBeVisible();
  expect(rowsOf(screen, "Not on this bill")).toEqual([
    ["Birch, South Works", "Mill", "–", "No node"],
    ["Birch, South Works", "Saw", "10103", "Paid"],
  ]);

  await screen.getByRole("button", { name: "Export CSV" }).click();
  expect(files.at(-1)?.name).toBe("bill-2027-12-31.csv");
  expect((await files.at(-1)!.blob.text()).replaceAll('"', "").trim().split(/\r?\n/)).toEqual([
    "Customer,Facility,Location,Node,Status,Deployment Date,Paid Thru,Bill Thru,Years Due,Amount Per Year,Amount Due,Left Out Because",
    "Birch,North Works,Feed Pump,10101,Deployed,2024-05-01,2026-12-31,2027-12-31,1,1800.5,1800.5,",
    "Birch,North Works,Fan,10102,Deployed,2024-05-01,2026-12-31,2027-12-31,0.5,1500,750,",
    "Birch,South Works,Mill,,,,,,,,,No node",
    "Birch,South Works,Saw,10103,,,,,,,,Paid",
    "Total,,,,,,,,,,2550.5,",
  ]);
  const title = document.title;
  window.dispatchEvent(new Event("beforeprint"));
  expect(document.title).toBe("Invoice 12 to Birch");
  window.dispatchEvent(new Event("afterprint"));
  expect(document.title).toBe(title);
  await screen.getByRole("button", { name: "Open PDF" }).click();
  await expect.element(screen.getByText(/^Bill 12 is opened as it was made/)).toBeVisible();
  expect(asked("POST /billing/bills/{number}/pdf")).toEqual([{ params: { number: "12" } }]);
});

test("days that are billed already are asked about first; without a tab the PDF is a link; what fails is said and closes the tab", async () => {
  const other = { number: 9, madeAt: 1_790_000_000, paidThruDate: "2026-06-30", billToDate: "2027-06-30", locationCount: 1 };
  const twice = { ...bill, billingFacilityItems: [], leftOut: [], billedAlready: [other] };
  const tab = watchTab();
  let refusal: ApiError | undefined;
  const { screen, asked } = await open({
    "GET /billing/organizations/{id}/bill": () => {
      if (refusal) throw refusal;
      return twice;
    },
  });
  await makeBill(screen);
  await expect
    .element(screen.getByRole("listitem"))
    .toHaveTextContent(`Bill 9 of ${formatDateTime(1_790_000_000)}, Paid Thru 2026-06-30, Bill To 2027-06-30: 1 location`);
  await expect.element(screen.getByText("Nothing is due: no location is on this bill.")).toBeVisible();
  expect([asked("POST /billing/pdf"), tab.close.mock.calls.length, tab.location.replace.mock.calls.length]).toEqual([[], 1, 0]);
  expect(screen.getByRole("heading", { name: /Not on this bill/ }).elements()).toEqual([]);
  watchTab(false);
  await screen.getByRole("button", { name: "Make the bill anyway" }).click();
  const link = screen.getByRole("link", { name: "Open the PDF" });
  await expect.element(link).toHaveAttribute("href", expect.stringMatching(/download.*abc/));
  expect(asked("POST /billing/pdf")).toEqual([{ body: twice }]);
  link.element().addEventListener("click", (event) => event.preventDefault());
  await link.click();
  await expect.element(link).not.toBeInTheDocument();

  refusal = new ApiError(400, "INVALID", "Bill To is too far away", "billDate");
  const refused = watchTab();
  await screen.getByLabelText("Terms").fill("now");
  await makeBill(screen);
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Bill To is too far away");
  await expect.element(screen.getByLabelText(/^Bill To/)).toHaveAttribute("aria-invalid", "true");
  expect([refused.close.mock.calls.length, screen.getByRole("region", { name: "Bill", exact: true }).elements()]).toEqual([1, []]);
});

test("the register has the newest bills first, page by page; one of them is made void with a reason", async () => {
  let bills = [registered(12), registered(11, { voidReason: "Wrong rate", voidedBy: "inge", voidedAt: 1, invoiceNumber: "I-3" })];
  const { screen, asked } = await open({
    "GET /billing/bills": ({ query }) =>
      (query as { before?: string }).before === "11" ? { bills: [registered(10)], hasOlder: false } : { bills, hasOlder: true },
    "POST /billing/bills/{number}/void": () => {
      bills = [registered(12, { voidReason: "Sent twice" }), bills[1]!];
      return {};
    },
  });
  await expect.element(screen.getByRole("table", { name: "Bills made" })).toBeVisible();
  const made = formatDateTime(1_790_000_000, "UTC");
  const common = [made, "rowan", "Birch", "2026-12-31", "2027-12-31"];
  expect(rowsOf(screen, "Bills made")).toEqual([
    ["12", ...common, "–", "2", "$2,550.50", "Made", "Open PDFMake Void"],
    ["11", ...common, "I-3", "2", "$2,550.50", "Void Wrong rate", "Open PDF"],
  ]);
  await expect.element(screen.getByTitle("By inge")).toHaveTextContent("Void Wrong rate");
  expect([...document.querySelectorAll("s")].map(({ textContent }) => textContent)).toEqual(["$2,550.50"]);
  const [newest, older] = ["Newest bills", "Older bills"].map((name) => screen.getByRole("button", { name }));
  await expect.element(newest!).toBeDisabled();
  await older!.click();
  await expect.poll(() => rowsOf(screen, "Bills made").map(([number]) => number)).toEqual(["10"]);
  await expect.element(older!).toBeDisabled();
  await newest!.click();
  await expect.poll(() => rowsOf(screen, "Bills made")).toHaveLength(2);
  expect(asked("GET /billing/bills").map(({ query }) => query)).toEqual([{}, { before: "11" }, {}]);

  await screen.getByRole("button", { name: "Make Void: bill 12" }).click();
  const dialog = screen.getByRole("dialog", { name: "Make bill 12 void" });
  await expect.element(dialog.getByText(/^Bill 12 to Birch for \$2,550\.50 stays in the register/)).toBeVisible();
  await expect.element(dialog.getByLabelText(/^Reason/)).toHaveFocus();
  await expect.element(dialog.getByRole("button", { name: "Make Void" })).toBeDisabled();
  await userEvent.keyboard("Sent twice");
  await dialog.getByRole("button", { name: "Make Void" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(asked("POST /billing/bills/{number}/void")).toEqual([{ params: { number: "12" }, body: { reason: "Sent twice" } }]);
  await expect.poll(() => rowsOf(screen, "Bills made")[0]?.[9]).toBe("Void Sent twice");
});

test("a month is billed once or not, for each organization; what is no month is asked nowhere", async () => {
  const location = (locationId: number, status: string, bills: number[]) => ({
    locationId,
    customerName: "Birch",
    facilityName: "Works",
    locationName: `Fan ${locationId}`,
    status,
    bills,
  });
  const statuses = [location(1, "once", [9]), location(2, "not", []), location(3, "more than once", [9, 10]), location(4, "in part", [8])];
  const { screen, asked } = await open({
    "GET /billing/months/{month}": () => ({
      organizations: [
        { name: "Alder", locations: [location(5, "once", [7])] },
        { name: "Birch", locations: statuses },
      ],
    }),
  });
  const region = screen.getByRole("region", { name: "Months" });
  await expect.element(region.getByText("Alder: of 1 location 1 billed once")).toBeVisible();
  await expect
    .element(region.getByText("Birch: of 4 locations 1 billed once, 1 billed more than once, 1 billed in part, 1 not billed"))
    .toBeVisible();
  expect(region.getByRole("button").elements()).toHaveLength(1);
  await region.getByRole("button", { name: "Exceptions of Birch" }).click();
  expect(rowsOf(screen, "Birch: not billed once")).toEqual([
    ["Birch, Works", "Fan 2", "not", "–"],
    ["Birch, Works", "Fan 3", "more than once", "9, 10"],
    ["Birch, Works", "Fan 4", "in part", "8"],
  ]);
  await screen.getByLabelText("Month").fill(" 2026-1 ");
  await expect.element(region.getByText("A month is such as 2026-12")).toBeVisible();
  await expect.element(region.getByText(/^Birch/)).not.toBeInTheDocument();
  await screen.getByLabelText("Month").fill("2026-11");
  await expect.element(region.getByText(/^Birch/)).toBeVisible();
  expect(asked("GET /billing/months/{month}").map(({ params }) => params)).toEqual([
    { month: new Date().toISOString().slice(0, 7) },
    { month: "2026-11" },
  ]);
});

test("without an organization it is said how to make one; what cannot be loaded is asked for again", async () => {
  let isAway = true;
  const failing = (answer: unknown) => () => {
    if (isAway) throw new ApiError(503, "AWAY", "The database is away.");
    return answer;
  };
  const { screen } = await open({
    "GET /billing/organizations": failing([]),
    "GET /billing/bills": failing({ bills: [], hasOlder: false }),
    "GET /billing/months/{month}": failing({ organizations: [] }),
  });
  await expect.poll(() => screen.getByText("The database is away.").elements()).toHaveLength(3);
  isAway = false;
  for (let left = 3; left > 0; left--) {
    await screen.getByRole("button", { name: "Try again" }).first().click();
    await expect.poll(() => screen.getByRole("button", { name: "Try again" }).elements()).toHaveLength(left - 1);
  }
  await expect.element(screen.getByText("There is no billing organization yet")).toBeVisible();
  await expect.element(screen.getByText("No bills yet")).toBeVisible();
  await expect.element(screen.getByText(/^No location is to be billed in \d{4}-\d\d\.$/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Get Bill and PDF" }).elements()).toEqual([]);
});
