import { CustomerForm, createCustomer, updateCustomer, type SavedCustomer } from "@busbar/contract/directory/customers.ts";
import { customerTypes } from "@busbar/contract/values/option-lists.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { SelectField, choicesOf } from "#ui/select-field.tsx";
import { MultiLineField, TextField } from "#ui/text-field.tsx";
import { changedValues } from "./changed-values.ts";
import { useCustomers } from "./customers.queries.ts";
import "./customers.css";

export interface CustomerDialogProps {
  /** Absent: a new one. */
  customer?: SavedCustomer;
  onClose: () => void;
}

// The contract's own rules; domains are typed as text, one a line or with commas between.
const CustomerEntry = z.object({
  ...CustomerForm.shape,
  emailDomains: z.string().check((text) => {
    const issue = CustomerForm.shape.emailDomains.safeParse(readDomains(text.value)).error?.issues[0];
    if (issue) text.issues.push({ code: "custom", message: issue.message, input: text.value });
  }),
});
type CustomerEntry = z.infer<typeof CustomerEntry>;

function readDomains(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
}

const newCustomer: CustomerForm = {
  code: "",
  name: "",
  type: "Revenue",
  enableDataTransfer: false,
  requireDivisionFacilityLocation: false,
  emailDomains: [],
};

const entryOf = ({ code, name, type, enableDataTransfer, requireDivisionFacilityLocation, emailDomains }: CustomerForm): CustomerEntry => ({
  code,
  name,
  type,
  enableDataTransfer,
  requireDivisionFacilityLocation,
  emailDomains: emailDomains.join("\n"),
});

/** CUS-04 */
export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const [saved, setSaved] = useState(customer);
  const old = usePutBack(`customer/${customer?.id}`);
  const call = useApi();
  const latest = useCustomers().data?.find(({ id }) => id === saved?.id);
  const form = useSaveForm<CustomerEntry>({
    resolver: zodResolver(CustomerEntry),
    defaultValues: entryOf(saved ?? newCustomer),
    putBack: saved && old && entryOf({ ...saved, ...old }),
  });
  const { control, reset, saving, reloadOf } = form;

  const show = (next: SavedCustomer) => {
    setSaved(next);
    reset(entryOf(next));
  };
  const save = saving(async (entry) => {
    const values: CustomerForm = { ...entry, emailDomains: readDomains(entry.emailDomains) };
    const next = await (saved
      ? call(updateCustomer, {
          params: { id: String(saved.id) },
          body: { ...changedValues(CustomerForm.parse(saved), values), revision: saved.revision },
        })
      : call(createCustomer, { body: values }));
    show(next);
    return "Customer saved successfully";
  });

  return (
    <Dialog title={saved ? `Edit Customer ${saved.name}` : "Add Customer"} onClose={onClose}>
      <SaveForm
        form={form}
        onSubmit={save}
        saveLabel="Save"
        className="dialog-form"
        object={saved && `customer/${saved.id}`}
        reload={reloadOf({ noun: "customer", saved, latest, valuesOf: entryOf, onLoad: setSaved })}
      >
        <div className="dialog-columns">
          <TextField
            control={control}
            name="code"
            label="Code"
            description={saved ? "The code cannot be changed" : "Lowercase letters, at least 2; it cannot be changed later"}
            readOnly={saved !== undefined}
            isLowercase
            isRequired
            spellCheck={false}
            data-autofocus={saved === undefined || undefined}
          />
          <TextField
            control={control}
            name="name"
            label="Name"
            description="At least 3 letters, digits, commas, periods and spaces"
            isRequired
            data-autofocus={saved !== undefined || undefined}
          />
          <SelectField control={control} name="type" label="Type" data={choicesOf(customerTypes)} />
          <MultiLineField
            control={control}
            name="emailDomains"
            label="Email Domains"
            description="One per line, such as works.example"
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
          />
          <CheckboxField control={control} name="enableDataTransfer" label="Enable Data Transfer" />
          <CheckboxField control={control} name="requireDivisionFacilityLocation" label="Require Division and Facility Location" />
        </div>
      </SaveForm>
    </Dialog>
  );
}
