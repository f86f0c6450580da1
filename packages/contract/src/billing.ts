import * as z from "zod/mini";
import { CalendarDate } from "./calendar-date.ts";
import { endpoint } from "./endpoint.ts";
import { EntityId, EntityNumber } from "./entity-id.ts";

const oneLine = (label: string, most = 60) =>
  z
    .string(`${label} is a text`)
    .check(z.maxLength(most, `${label} has at most ${most} characters`), z.regex(/^\P{Cc}*$/u, `${label} is one line of text`));

// REP-01: dates are required, the rest may stay empty.
const statement = {
  paidThruDate: CalendarDate("Paid Thru"),
  invoiceNumber: oneLine("Invoice #"),
  terms: oneLine("Terms"),
  vendorId: oneLine("Vendor #"),
  purchaseOrder: oneLine("PO #"),
};

/** The form of the page Generate a Bill. */
export const BillForm = z
  .object({
    organizationId: z.string().check(z.minLength(1, "Choose a billing organization")),
    billDate: CalendarDate("Bill To"),
    voltaEnergy: z.boolean(),
    ...statement,
  })
  .check(z.refine(({ billDate, paidThruDate }) => billDate > paidThruDate, { error: "Bill To is after Paid Thru", path: ["billDate"] }));
export type BillForm = z.infer<typeof BillForm>;

export const BillingOrganization = z.object({
  id: z.int(),
  name: z.string(),
  /** The one that the form begins with: setting `Billing_defaultOrganization`. */
  isDefault: z.boolean(),
});
export type BillingOrganization = z.infer<typeof BillingOrganization>;

/** A part of a yearly rate. Cents. */
const RatePart = z.object({ name: z.string(), amountPerYear: z.int() });

const day = z.string();
const cents = z.int();

/**
 * One location on a bill. Amounts are cents.
 * `amountDue = amountPerYear x (wholeYears + extraDays / daysOfYear)`, rounded to the cent; `yearsDue` is the bracket to four decimals.
 */
export const BillingLocationItem = z.object({
  locationId: EntityNumber,
  locationName: z.string(),
  serialNumber: z.string(),
  deploymentStatus: z.string(),
  deploymentDate: day,
  paidThruDate: day,
  /** Where the date comes from: the location itself, the bill's Paid Thru, or the day before its billing begins. */
  paidThruReason: z.enum(["location", "bill", "billing start"]),
  billThruDate: day,
  billThruReason: z.enum(["bill", "billing end"]),
  yearsDue: z.number(),
  wholeYears: z.int(),
  extraDays: z.int(),
  /** Days of the year that the extra days are part of; 0 without extra days. */
  daysOfYear: z.int(),
  rateParts: z.array(RatePart),
  amountPerYear: cents,
  amountDue: cents,
});
export type BillingLocationItem = z.infer<typeof BillingLocationItem>;

export const BillingFacilityItem = z.object({
  facilityName: z.string(),
  /** Which of the organisation's customers it belongs to. */
  customerName: z.string(),
  amountFacilityTotal: cents,
  billingLocationItems: z.array(BillingLocationItem),
});
export type BillingFacilityItem = z.infer<typeof BillingFacilityItem>;

/** A location that costs nothing on this bill, and why. */
export const LeftOutLocation = z.object({
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  serialNumber: z.nullable(z.string()),
  reason: z.string(),
});
export type LeftOutLocation = z.infer<typeof LeftOutLocation>;

export const Bill = z.object({
  organizationId: EntityNumber,
  vendor: z.object({ name: z.string(), addressLine1: z.string(), city: z.string(), state: z.string(), zipCode: z.string() }),
  ...statement,
  customerName: z.string(),
  billToDate: CalendarDate("billToDate"),
  voltaEnergy: z.boolean("voltaEnergy is true or false"),
  amountTotal: cents,
  billingFacilityItems: z.array(BillingFacilityItem),
  leftOut: z.array(LeftOutLocation),
});
export type Bill = z.infer<typeof Bill>;

export const getBillingOrganizations = endpoint({
  versions: ["v2"],
  method: "GET",
  path: "/billing/organizations",
  access: "accountsAdministrator",
  summary: "Who can be billed, by name",
  data: z.array(BillingOrganization),
});

const flagText = z.pipe(
  z._default(z.enum(["true", "false"], "is true or false"), "false"),
  z.transform((text) => text === "true"),
);

export const getBill = endpoint({
  versions: ["v2"],
  method: "GET",
  path: "/billing/organizations/{id}/bill",
  access: "accountsAdministrator",
  summary: "What an organisation owes from Paid Thru to the bill's date, line by line, and what was left out and why; amounts in cents",
  params: z.object({ id: EntityId }),
  query: z.object({
    billDate: CalendarDate("Bill To"),
    paidThruDate: CalendarDate("Paid Thru"),
    voltaEnergy: flagText,
    vendorId: z._default(statement.vendorId, ""),
    purchaseOrder: z._default(statement.purchaseOrder, ""),
    terms: z._default(statement.terms, ""),
    invoiceNumber: z._default(statement.invoiceNumber, ""),
  }),
  data: Bill,
});

export const createBillPdf = endpoint({
  versions: ["v2"],
  method: "POST",
  path: "/billing/pdf",
  access: "accountsAdministrator",
  summary: "The bill as a PDF, for one download within two minutes; refused when the server computes another bill",
  // A line of a bill takes about 600 bytes: room for 10,000.
  maxBodyBytes: 8_388_608,
  body: Bill,
  data: z.string(),
});
