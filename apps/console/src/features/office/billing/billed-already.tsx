import type { Bill } from "@busbar/contract/office/billing.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import { Notice } from "#ui/notice.tsx";

/** Asked before a bill is made for days that another one asks for. */
export function BilledAlready({ bill, onConfirm }: { bill: Bill; onConfirm: () => void }) {
  return (
    <Notice kind="warning">
      <p>Some of this time is billed already:</p>
      <ul>
        {bill.billedAlready.map(({ number, madeAt, paidThruDate, billToDate, locationCount }) => (
          <li key={number}>
            Bill {number} of {formatDateTime(madeAt)}, Paid Thru {paidThruDate}, Bill To {billToDate}: {counted(locationCount, "location")}
          </li>
        ))}
      </ul>
      <Button variant="default" size="compact-sm" onClick={onConfirm}>
        Make the bill anyway
      </Button>
    </Notice>
  );
}
