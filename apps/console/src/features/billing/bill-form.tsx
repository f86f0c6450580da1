import { BillForm } from "@busbar/contract/billing.ts";
import type { BillingOrganization } from "@busbar/contract/billing.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import "./billing.css";

export interface BillFormFieldsProps {
  organizations: readonly BillingOrganization[];
  isWorking: boolean;
  onSubmit: (request: BillForm) => void;
}

/** REP-01 */
export function BillFormFields({ organizations, isWorking, onSubmit }: BillFormFieldsProps) {
  const [year] = useState(() => new Date().getFullYear());
  const { control, handleSubmit, formState } = useForm<BillForm>({
    resolver: zodResolver(BillForm),
    mode: "onChange",
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
  return (
    <form className="bill-form no-print" noValidate aria-label="Generate a Bill" onSubmit={(event) => void handleSubmit(onSubmit)(event)}>
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
      <SaveBar saveLabel="Get Bill and PDF" isValid={formState.isValid} isWorking={isWorking} />
    </form>
  );
}
