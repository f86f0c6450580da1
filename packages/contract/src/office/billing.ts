import * as z from "zod/mini";
import { CalendarDate, isCalendarDate } from "../values/calendar-date.ts";
import { endpoint } from "../endpoint.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";

/** Of a bill. */
const mostLines = 10_000;

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
const RatePart = z.strictObject({ name: z.string(), amountPerYear: z.int() });

const day = z.string();
const cents = z.int();

/**
 * One location on a bill. Amounts are cents.
 * `amountDue = amountPerYear x (wholeYears + extraDays / daysOfYear)`, rounded to the cent; `yearsDue` is the bracket to four decimals.
 */
export const BillingLocationItem = z.strictObject({
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
  rateParts: z.array(RatePart).check(z.maxLength(100)),
  amountPerYear: cents,
  amountDue: cents,
});
export type BillingLocationItem = z.infer<typeof BillingLocationItem>;

export const BillingFacilityItem = z.strictObject({
  facilityName: z.string(),
  /** Which of the organisation's customers it belongs to. */
  customerName: z.string(),
  amountFacilityTotal: cents,
  billingLocationItems: z.array(BillingLocationItem).check(z.maxLength(mostLines)),
});
export type BillingFacilityItem = z.infer<typeof BillingFacilityItem>;

/** A location that costs nothing on this bill, and why. */
export const LeftOutLocation = z.strictObject({
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  serialNumber: z.nullable(z.string()),
  reason: z.string(),
});
export type LeftOutLocation = z.infer<typeof LeftOutLocation>;

/** A bill of the register that asks for some of the same days of the same locations. */
const BilledAlready = z.strictObject({
  number: z.int(),
  /** Epoch seconds. */
  madeAt: z.number(),
  paidThruDate: day,
  billToDate: day,
  /** Of the locations that it shares. */
  locationCount: z.int(),
});
export type BilledAlready = z.infer<typeof BilledAlready>;

export const Bill = z.strictObject({
  organizationId: EntityNumber,
  vendor: z.strictObject({ name: z.string(), addressLine1: z.string(), city: z.string(), state: z.string(), zipCode: z.string() }),
  ...statement,
  customerName: z.string(),
  billToDate: CalendarDate("billToDate"),
  voltaEnergy: z.boolean("voltaEnergy is true or false"),
  amountTotal: cents,
  billingFacilityItems: z.array(BillingFacilityItem).check(z.maxLength(mostLines)),
  leftOut: z.array(LeftOutLocation).check(z.maxLength(mostLines)),
  /** In the register; null until the bill is made. */
  number: z.nullable(z.int("number is a whole number, or null")),
  /** Who makes this bill bills those days twice. */
  billedAlready: z.array(BilledAlready).check(z.maxLength(mostLines)),
});
export type Bill = z.infer<typeof Bill>;

export const getBillingOrganizations = endpoint("GET /api/v2/billing/organizations", {
  access: "accountsAdministrator",
  summary: "Who can be billed, by name",
  data: z.array(BillingOrganization),
});

const flagText = z.pipe(
  z._default(z.enum(["true", "false"], "is true or false"), "false"),
  z.transform((text) => text === "true"),
);

export const getBill = endpoint("GET /api/v2/billing/organizations/{id}/bill", {
  access: "accountsAdministrator",
  summary: "What an organisation owes from Paid Thru to the bill's date, line by line, and what was left out and why; amounts in cents",
  params: z.object({ id: EntityId }),
  query: z.strictObject({
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

export const createBillPdf = endpoint("POST /api/v2/billing/pdf", {
  access: "accountsAdministrator",
  summary:
    "Makes the bill: it gets the next number of the register, where its PDF is kept; a bill that is there already stays the one. The PDF is for one download within two minutes. Refused when the server computes another bill",
  changes: ["/billing/bills", "/billing/months/{month}"],
  // A line of a bill takes about 600 bytes and 30 values: room for 10,000.
  maxBodyBytes: 8_388_608,
  maxBodyValues: 30 * mostLines,
  body: Bill,
  data: z.string(),
});

/** A bill as the register has it. Amounts are cents, times epoch seconds. */
export const RegisteredBill = z.object({
  /** Counts up without a hole. */
  number: z.int(),
  madeAt: z.number(),
  madeBy: z.string(),
  /** Null when the organisation is gone. */
  organizationId: z.nullable(z.int()),
  customerName: z.string(),
  paidThruDate: day,
  billToDate: day,
  invoiceNumber: z.string(),
  voltaEnergy: z.boolean(),
  amountTotal: cents,
  locationCount: z.int(),
  voidedAt: z.nullable(z.number()),
  voidedBy: z.nullable(z.string()),
  voidReason: z.nullable(z.string()),
});
export type RegisteredBill = z.infer<typeof RegisteredBill>;

export const getRegisteredBills = endpoint("GET /api/v2/billing/bills", {
  access: "accountsAdministrator",
  summary: "The bills that were made, the newest first, a hundred at a time: those before the number `before`",
  query: z.strictObject({ before: z.optional(EntityId) }),
  data: z.object({ bills: z.array(RegisteredBill), hasOlder: z.boolean() }),
});

export const createRegisteredBillPdf = endpoint("POST /api/v2/billing/bills/{number}/pdf", {
  access: "accountsAdministrator",
  summary: "The PDF of a bill as it was made, byte for byte, for one download within two minutes",
  params: z.object({ number: EntityId }),
  data: z.string(),
});

export const VoidBillForm = z.strictObject({
  reason: z
    .string("Reason is a text")
    .check(
      z.trim(),
      z.minLength(3, "Reason has at least 3 characters"),
      z.maxLength(200, "Reason has at most 200 characters"),
      z.regex(/^\P{Cc}*$/u, "Reason is one line of text"),
    ),
});
export type VoidBillForm = z.infer<typeof VoidBillForm>;

export const voidBill = endpoint("POST /api/v2/billing/bills/{number}/void", {
  access: "accountsAdministrator",
  summary: "Makes a bill void, with the reason; it stays in the register, and its time counts as not billed",
  changes: ["/billing/bills", "/billing/months/{month}"],
  params: z.object({ number: EntityId }),
  body: VoidBillForm,
  data: RegisteredBill,
});

/** A month as `YYYY-MM`. */
export const Month = z
  .string("A month is such as 2026-12")
  .check(z.refine((text) => isCalendarDate(`${text}-01`), "A month is such as 2026-12"));

/** How often the days of a month are billed, by bills that are not void. */
export const BilledMonth = z.object({
  month: z.string(),
  organizations: z.array(
    z.object({
      /** Null for bills of an organisation that is gone. */
      organizationId: z.nullable(z.int()),
      name: z.string(),
      locations: z.array(
        z.object({
          locationId: EntityNumber,
          customerName: z.string(),
          facilityName: z.string(),
          locationName: z.string(),
          /** `once`: every day that is to be billed is, and none twice. */
          status: z.enum(["once", "more than once", "in part", "not"]),
          /** Numbers of the bills. */
          bills: z.array(z.int()),
        }),
      ),
    }),
  ),
});
export type BilledMonth = z.infer<typeof BilledMonth>;

export const getBilledMonth = endpoint("GET /api/v2/billing/months/{month}", {
  access: "accountsAdministrator",
  summary: "Which locations are billed for a month, once or more often, and which are not",
  params: z.object({ month: Month }),
  data: BilledMonth,
});
