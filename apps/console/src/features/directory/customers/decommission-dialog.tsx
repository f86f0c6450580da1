import type { Customer } from "@busbar/contract/directory/customer-tree.ts";
import { NewDecommissionedNode, createDecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { getAvailableNodes } from "@busbar/contract/directory/locations.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.ts";
import { SuggestField } from "#ui/suggest-field.tsx";

const empty: NewDecommissionedNode = { serialNumber: "", facilityName: "", siteName: "" };

/** CUS-18 */
export function DecommissionDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const available = useApiQuery(getAvailableNodes, {});
  const { control, handleSubmit, reset, setValue, refuse, bar } = useSaveForm<NewDecommissionedNode>({
    resolver: zodResolver(NewDecommissionedNode),
    defaultValues: empty,
  });

  const submit = handleSubmit(async (values) => {
    await outcome.run(
      async () => {
        await call(createDecommissionedNode, { params: { id: String(customer.id) }, body: values });
        reset(empty);
        return `Node ${values.serialNumber} is decommissioned`;
      },
      { refuse },
    );
  });
  const fillSite = (facilityName: string) => {
    const facility = customer.facilities.find(({ name }) => name === facilityName);
    if (facility) setValue("siteName", facility.siteName, { shouldDirty: true });
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
        <SaveBar saveLabel="Save" {...bar} />
      </form>
    </Dialog>
  );
}
