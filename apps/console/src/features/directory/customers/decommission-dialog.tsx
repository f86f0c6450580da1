import type { Customer } from "@busbar/contract/directory/customer-tree.ts";
import { NewDecommissionedNode, createDecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { getAvailableNodes } from "@busbar/contract/directory/locations.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { SuggestField } from "#ui/suggest-field.tsx";

const empty: NewDecommissionedNode = { serialNumber: "", facilityName: "", siteName: "" };

/** CUS-18 */
export function DecommissionDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const call = useApi();
  const available = useApiQuery(getAvailableNodes, {});
  const form = useSaveForm<NewDecommissionedNode>({
    resolver: zodResolver(NewDecommissionedNode),
    defaultValues: empty,
  });
  const { control, reset, saving, setValue } = form;

  const save = saving(async (values) => {
    await call(createDecommissionedNode, { params: { id: String(customer.id) }, body: values });
    reset(empty);
    return `Node ${values.serialNumber} is decommissioned`;
  });
  const fillSite = (facilityName: string) => {
    const facility = customer.facilities.find(({ name }) => name === facilityName);
    if (facility) setValue("siteName", facility.siteName, { shouldDirty: true });
  };

  return (
    <Dialog title={`Add Decommissioned Node to ${customer.name}`} onClose={onClose}>
      <SaveForm form={form} onSubmit={save} saveLabel="Save" className="dialog-form">
        <p>The node can no longer connect, and no location is offered it. It must be at no location.</p>
        <div className="dialog-columns">
          <SuggestField
            control={control}
            name="serialNumber"
            label="Serial Number"
            data={(available.data ?? []).map(({ serialNumber }) => serialNumber)}
            inputMode="numeric"
            isRequired
            data-autofocus
            openOnFocus={false}
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
      </SaveForm>
    </Dialog>
  );
}
