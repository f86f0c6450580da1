import type { Bill, BilledAlready, RegisteredBill } from "@busbar/contract/office/billing.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import type { PoolClient } from "#db/pool.ts";
import { planned, plannedCount } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Day } from "./bill-period.ts";

/** What a location was billed for, by a bill that is not void. */
export interface BilledLine {
  organizationId: number | null;
  organizationName: string;
  locationId: number;
  customerName: string;
  facilityName: string;
  locationName: string;
  billNumber: number;
  paidThruDate: Day;
  billThruDate: Day;
}

export interface NewRegisteredBill {
  number: number;
  madeAt: number;
  madeBy: string;
  bill: Bill;
  contentHash: Uint8Array;
  pdf: Uint8Array;
}

const registered = `b.number, ${epochSeconds("b.made_at")} as "madeAt", b.made_by as "madeBy", b.organization_id as "organizationId",
  b.customer_name as "customerName", to_char(b.paid_thru_date, 'YYYY-MM-DD') as "paidThruDate", to_char(b.bill_to_date, 'YYYY-MM-DD') as "billToDate",
  b.invoice_number as "invoiceNumber", b.includes_energy as "voltaEnergy", b.amount_total::float8 as "amountTotal",
  (select count(*)::int from bill_line l where l.bill_number = b.number) as "locationCount",
  ${epochSeconds("b.voided_at")} as "voidedAt", b.voided_by as "voidedBy", b.void_reason as "voidReason"`;

export function createBillRegisterStore(pool: Pool) {
  return {
    /** One more than the last one: no bill ever leaves the register. */
    async nextNumber(): Promise<number> {
      const rows = await planned<{ next: number }>(pool, "next-bill-number")`select coalesce(max(number), 0) + 1 as next from bill`;
      return rows[0]!.next;
    },

    /** Of the bill with this content that is not void. */
    async numberOf(contentHash: Uint8Array): Promise<number | null> {
      const rows = await planned<{ number: number }>(pool, "bill-by-content", [contentHash])`
        select number from bill where content_hash = $1 and voided_at is null`;
      return rows[0]?.number ?? null;
    },

    /** Bills that ask for some of the same days of the same locations. */
    async billedAlready({ billingFacilityItems }: Pick<Bill, "billingFacilityItems">): Promise<BilledAlready[]> {
      const lines = billingFacilityItems.flatMap(({ billingLocationItems }) => billingLocationItems);
      return await planned<BilledAlready>(pool, "billed-already", [
        lines.map((line) => line.locationId),
        lines.map((line) => line.paidThruDate),
        lines.map((line) => line.billThruDate),
      ])`
        select b.number, ${epochSeconds("b.made_at")} as "madeAt", to_char(b.paid_thru_date, 'YYYY-MM-DD') as "paidThruDate",
          to_char(b.bill_to_date, 'YYYY-MM-DD') as "billToDate", count(*)::int as "locationCount"
        from unnest($1::int[], $2::date[], $3::date[]) as due (location_id, paid_thru, bill_thru)
        join bill_line l on l.location_id = due.location_id and l.paid_thru_date < due.bill_thru and due.paid_thru < l.bill_thru_date
        join bill b on b.number = l.bill_number and b.voided_at is null
        group by b.number order by b.number`;
    },

    /** @returns false when another bill has taken the number, or is this bill */
    async insert(client: PoolClient, { number, madeAt, madeBy, bill, contentHash, pdf }: NewRegisteredBill): Promise<boolean> {
      const rowCount = await plannedCount(client, "insert-bill", [
        number,
        madeAt,
        madeBy,
        bill.organizationId,
        bill.customerName,
        bill.paidThruDate,
        bill.billToDate,
        bill.invoiceNumber,
        bill.voltaEnergy,
        bill.amountTotal,
        contentHash,
        Buffer.from(pdf),
      ])`
        insert into bill (number, made_at, made_by, organization_id, customer_name, paid_thru_date, bill_to_date, invoice_number,
          includes_energy, amount_total, content_hash, pdf)
        values ($1, to_timestamp($2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`;
      if (rowCount === 0) return false;
      const lines = bill.billingFacilityItems.flatMap(({ customerName, facilityName, billingLocationItems }) =>
        billingLocationItems.map((line) => ({ ...line, customerName, facilityName })),
      );
      await planned(client, "insert-bill-lines", [number, JSON.stringify(lines)])`
        insert into bill_line (bill_number, location_id, customer_name, facility_name, location_name, paid_thru_date, bill_thru_date, amount_due)
        select $1, line."locationId", line."customerName", line."facilityName", line."locationName", line."paidThruDate", line."billThruDate", line."amountDue"
        from jsonb_to_recordset($2) as line ("locationId" int, "customerName" text, "facilityName" text, "locationName" text,
          "paidThruDate" date, "billThruDate" date, "amountDue" bigint)`;
      return true;
    },

    /** The newest first. */
    async list(before: number | undefined, limit: number): Promise<RegisteredBill[]> {
      return await planned<RegisteredBill>(pool, "bills", [before ?? 2_147_483_647, limit])`
        select ${registered} from bill b where b.number < $1 order by b.number desc limit $2`;
    },

    async find(number: number): Promise<RegisteredBill | undefined> {
      const rows = await planned<RegisteredBill>(pool, "bill", [number])`select ${registered} from bill b where b.number = $1`;
      return rows[0];
    },

    async pdfOf(number: number): Promise<Buffer | undefined> {
      const rows = await planned<{ pdf: Buffer }>(pool, "bill-pdf", [number])`select pdf from bill where number = $1`;
      return rows[0]?.pdf;
    },

    /** @returns false when it is void already, or is none */
    async makeVoid(client: PoolClient, number: number, by: string, at: number, reason: string): Promise<boolean> {
      const rowCount = await plannedCount(client, "void-bill", [number, at, by, reason])`
        update bill set voided_at = to_timestamp($2), voided_by = $3, void_reason = $4 where number = $1 and voided_at is null`;
      return rowCount === 1;
    },

    /** Lines of bills that are not void and ask for some day after `paidThru`, up to `billThru`. */
    async linesOf(paidThru: Day, billThru: Day): Promise<BilledLine[]> {
      return await planned<BilledLine>(pool, "billed-lines", [paidThru, billThru])`
        select b.organization_id as "organizationId", b.customer_name as "organizationName", l.location_id as "locationId",
          l.customer_name as "customerName", l.facility_name as "facilityName", l.location_name as "locationName", b.number as "billNumber",
          to_char(l.paid_thru_date, 'YYYY-MM-DD') as "paidThruDate", to_char(l.bill_thru_date, 'YYYY-MM-DD') as "billThruDate"
        from bill_line l join bill b on b.number = l.bill_number and b.voided_at is null
        where l.bill_thru_date > $1 and l.paid_thru_date < $2 order by b.number, l.location_id`;
    },

    transaction: <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => inTransaction(pool, work),
  };
}
export type BillRegisterStore = ReturnType<typeof createBillRegisterStore>;
