import { BillForm, type BillingOrganization } from "@busbar/contract/office/billing.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import "./billing.css";

export interface BillFormFieldsProps {
  organizations: readonly BillingOrganization[];
  /** Whether there is a bill now; a failure has been shown, and marks its field. */
  onSubmit: (request: BillForm, refuse: (error: unknown) => void) => Promise<boolean>;
}

/** REP-01 */
export function BillFormFields({ organizations, onSubmit }: BillFormFieldsProps) {
  const [year] = useState(() => new Date().getFullYear());
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm<BillForm>({
    resolver: zodResolver(BillForm),
    defaultValues: {
      organizationId: String(organizations.find(({ isDefault }) => isDefault)?.id ?? ""),
      paidThruDate: `${year}-12-31`,
      billDate: `${year + 1}-12-31`,
      voltaEnergy: false,
      invoiceNumber: "",
      terms: "",
      vendorId: "",
      purchaseOrder: "",
    },
  });
  const submit = handleSubmit(async (values) => {
    if (await onSubmit(values, refuse)) reset(values);
  });
  return (
    <SaveForm
      form={{ line: undefined, bar }}
      onSubmit={submit}
      saveLabel="Get Bill and PDF"
      className="bill-form no-print"
      label="Generate a Bill"
    >
      <div className="bill-fields">
        <SelectField
          control={control}
          name="organizationId"
          label="Billing Organization"
          data={organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          isRequired
        />
        <TextField control={control} name="paidThruDate" label="Paid Thru" placeholder="YYYY-MM-DD" isRequired />
        <TextField control={control} name="billDate" label="Bill To" placeholder="YYYY-MM-DD" isRequired />
        <TextField control={control} name="invoiceNumber" label="Invoice #" />
        <TextField control={control} name="terms" label="Terms" />
        <TextField control={control} name="vendorId" label="Vendor #" />
        <TextField control={control} name="purchaseOrder" label="PO #" />
      </div>
      <CheckboxField
        control={control}
        name="voltaEnergy"
        label="Energy"
        description="Adds the yearly energy rate to every Deployed node"
        mt="sm"
      />
    </SaveForm>
  );
}
