import { VoidBillForm } from "@busbar/contract/office/billing.ts";
import type { RegisteredBill } from "@busbar/contract/office/billing.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { formatMoney } from "#lib/format-money.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import type { Message } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.ts";
import { TextField } from "#ui/text-field.tsx";
import { useVoidBill } from "./billing.queries.ts";

export function VoidBillDialog({ bill, onClose }: { bill: RegisteredBill; onClose: () => void }) {
  const [message, setMessage] = useState<Message | undefined>();
  const makeVoid = useVoidBill();
  const { control, handleSubmit, refuse, bar } = useSaveForm<VoidBillForm>({
    resolver: zodResolver(VoidBillForm),
    defaultValues: { reason: "" },
  });
  const submit = async ({ reason }: VoidBillForm) => {
    setMessage({ kind: "working", text: "Sending request to server..." });
    try {
      await makeVoid.mutateAsync({ number: bill.number, reason });
      onClose();
    } catch (failure) {
      setMessage({ kind: "error", text: failureMessage(failure) });
      refuse(failure);
    }
  };
  return (
    <Dialog title={`Make bill ${bill.number} void`} onClose={onClose}>
      <p>
        Bill {bill.number} to {bill.customerName} over {formatMoney(bill.amountTotal)} stays in the register with its PDF. Its time counts
        as not billed.
      </p>
      <form noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        <TextField control={control} name="reason" label="Reason" isRequired data-autofocus />
        <MessageLine message={message} onCleared={() => setMessage(undefined)} />
        <SaveBar saveLabel="Make Void" {...bar} />
      </form>
    </Dialog>
  );
}
