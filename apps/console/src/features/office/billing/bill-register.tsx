import type { RegisteredBill } from "@busbar/contract/office/billing.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { formatMoney } from "#lib/format-money.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { useBillRegister } from "./billing.queries.ts";

export interface BillRegisterProps {
  /** A bill is being made or opened: another would be opened beside it. */
  isWorking: boolean;
  onOpen: (number: number) => void;
  onVoid: (bill: RegisteredBill) => void;
}

/** Every bill that was made, the newest first. */
export function BillRegister({ isWorking, onOpen, onVoid }: BillRegisterProps) {
  const [before, setBefore] = useState<number | undefined>();
  const asked = useBillRegister(before);
  const { data } = asked;
  const oldest = data?.bills.at(-1)?.number;
  return (
    <section className="no-print" aria-label="Register">
      <h2 className="section-title">Bills made</h2>
      <Loaded of={asked} loading={<LoadingTable label="Loading the bills" columns={billColumns} rows={3} />} />
      {data?.bills.length === 0 && <EmptyState title="No bills yet" />}
      {data && data.bills.length > 0 && (
        <DataTable
          aria-label="Bills made"
          columns={billColumns}
          rows={data.bills.map((bill) => ({ bill, isWorking, onOpen, onVoid }))}
          keyOf={({ bill }) => bill.number}
        />
      )}
      {(before !== undefined || data?.hasOlder) && (
        <Group gap="xs" mt="xs">
          <Button variant="default" size="compact-sm" disabled={before === undefined} onClick={() => setBefore(undefined)}>
            Newest bills
          </Button>
          <Button variant="default" size="compact-sm" disabled={!data?.hasOlder} onClick={() => setBefore(oldest)}>
            Older bills
          </Button>
        </Group>
      )}
    </section>
  );
}

interface ShownBill extends BillRegisterProps {
  bill: RegisteredBill;
}

export const billColumns: readonly Column<ShownBill>[] = [
  { label: "Bill #", text: ({ bill }) => bill.number, cell: ({ bill }) => <span className="mono">{bill.number}</span>, isRight: true },
  {
    label: "Made",
    text: ({ bill }) => formatDateTime(bill.madeAt),
    cell: ({ bill }) => <DateTime timestamp={bill.madeAt} timezone={null} />,
  },
  { label: "By", text: ({ bill }) => bill.madeBy },
  { label: "To", text: ({ bill }) => bill.customerName },
  { label: "Paid Thru", text: ({ bill }) => bill.paidThruDate },
  { label: "Bill To", text: ({ bill }) => bill.billToDate },
  { label: "Invoice #", text: ({ bill }) => bill.invoiceNumber || "–" },
  { label: "Locations", text: ({ bill }) => bill.locationCount },
  {
    label: "Amount",
    text: ({ bill }) => bill.amountTotal / 100,
    cell: ({ bill }) => (bill.voidReason === null ? formatMoney(bill.amountTotal) : <s>{formatMoney(bill.amountTotal)}</s>),
    isRight: true,
  },
  { label: "State", text: ({ bill }) => stateOf(bill), cell: ({ bill }) => <BillState bill={bill} /> },
  { label: "Actions", text: () => "", cell: (row) => <RowActions {...row} /> },
];

const stateOf = ({ voidReason }: RegisteredBill): string => (voidReason === null ? "Made" : `Void: ${voidReason}`);

function BillState({ bill }: { bill: RegisteredBill }) {
  const { voidReason, voidedBy } = bill;
  if (voidReason === null) return "Made";
  return (
    <span title={`By ${voidedBy}`}>
      <span className="status-badge status-bad">Void</span> {voidReason}
    </span>
  );
}

function RowActions({ bill, isWorking, onOpen, onVoid }: ShownBill) {
  const { number, voidReason } = bill;
  return (
    <Group component="span" gap={4}>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Open PDF of bill ${number}`}
        disabled={isWorking}
        onClick={() => onOpen(number)}
      >
        Open PDF
      </Button>
      {voidReason === null && (
        <Button variant="default" size="compact-xs" aria-label={`Make Void: bill ${number}`} onClick={() => onVoid(bill)}>
          Make Void
        </Button>
      )}
    </Group>
  );
}
