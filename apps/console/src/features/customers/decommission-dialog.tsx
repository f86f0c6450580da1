import type { Customer } from "@busbar/contract/customer-tree.ts";
import { NewDecommissionedNode, createDecommissionedNode } from "@busbar/contract/decommissioned-nodes.ts";
import { getAvailableNodes } from "@busbar/contract/locations.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useApi } from "#api/api-context.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { SuggestField } from "#ui/suggest-field.tsx";
import { useDirectoryChange } from "./customers.queries.ts";
import { useOutcome } from "./use-outcome.ts";

const empty: NewDecommissionedNode = { serialNumber: "", facilityName: "", siteName: "" };

/** CUS-18 */
export function DecommissionDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const call = useApi();
  const change = useDirectoryChange();
  const outcome = useOutcome();
  const available = useQuery({ queryKey: ["available-nodes"], queryFn: ({ signal }) => call(getAvailableNodes, {}, { signal }) });
  const { control, handleSubmit, reset, trigger, setValue, formState } = useForm<NewDecommissionedNode>({
    resolver: zodResolver(NewDecommissionedNode),
    mode: "onChange",
    defaultValues: empty,
  });
  useEffect(() => void trigger(), [trigger]);

  const submit = handleSubmit(async (values) => {
    await outcome.run(async () => {
      await change((client) => client(createDecommissionedNode, { params: { id: String(customer.id) }, body: values }));
      reset(empty);
      void trigger();
      void available.refetch();
      return `Node ${values.serialNumber} is decommissioned`;
    });
  });
  const fillSite = (facilityName: string) => {
    const facility = customer.facilities.find(({ name }) => name === facilityName);
    if (facility) setValue("siteName", facility.siteName, { shouldValidate: true });
  };

  return (
    <Dialog title={`Add Decommissioned Node to ${customer.name}`} onClose={onClose}>
      <form className="dialog-form" onSubmit={(event) => void submit(event)} noValidate>
        <p>The node can no longer connect, and no location is offered it. It must be at no location.</p>
        <div className="dialog-columns">
          <SuggestField
            control={control}
            name="serialNumber"
            label="Serial Number"
            data={(available.data ?? []).map(({ serialNumber }) => serialNumber)}
            inputMode="numeric"
            isRequired
          />
          <span />
          <SuggestField
            control={control}
            name="facilityName"
            label="Facility Name"
            data={customer.facilities.map(({ name }) => name)}
            onOptionSubmit={fillSite}
            isRequired
          />
          <SuggestField
            control={control}
            name="siteName"
            label="Site Name"
            data={customer.facilities.map(({ siteName }) => siteName)}
            isRequired
          />
        </div>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <SaveBar saveLabel="Save" isValid={formState.isValid} isWorking={outcome.isWorking} />
      </form>
    </Dialog>
  );
}
