import { VoidBillForm, type RegisteredBill } from "@busbar/contract/office/billing.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { formatMoney } from "#lib/format-money.ts";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useVoidBill } from "./billing.queries.ts";

export function VoidBillDialog({ bill, onClose }: { bill: RegisteredBill; onClose: () => void }) {
  const makeVoid = useVoidBill();
  const form = useSaveForm<VoidBillForm>({
    resolver: zodResolver(VoidBillForm),
    defaultValues: { reason: "" },
  });
  const save = form.saving(async ({ reason }) => {
    await makeVoid.mutateAsync({ number: bill.number, reason });
    onClose();
    return undefined;
  });
  return (
    <Dialog title={`Make bill ${bill.number} void`} onClose={onClose}>
      <p>
        Bill {bill.number} to {bill.customerName} for {formatMoney(bill.amountTotal)} stays in the register with its PDF. Its time counts as
        not billed.
      </p>
      <SaveForm form={form} onSubmit={save} saveLabel="Make Void">
        <TextField control={form.control} name="reason" label="Reason" isRequired data-autofocus />
      </SaveForm>
    </Dialog>
  );
}
