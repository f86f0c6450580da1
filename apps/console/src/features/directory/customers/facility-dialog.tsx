import {
  FacilityForm,
  RequiredPlace,
  isRequiredPlaceField,
  createFacility,
  updateFacility,
  type SavedFacility,
} from "@busbar/contract/directory/facilities.ts";
import type { SavedCustomer } from "@busbar/contract/directory/customers.ts";
import { divisions, facilityTypes, groundingTypes } from "@busbar/contract/values/option-lists.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { Dialog } from "#ui/dialog.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { SelectField, choicesOf } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { changedValues } from "./changed-values.ts";
import { useCustomers } from "./customers.queries.ts";
import "./customers.css";

export interface FacilityDialogProps {
  customer: SavedCustomer;
  /** Absent: a new one. */
  facility?: SavedFacility;
  onClose: () => void;
}

const newFacility: FacilityForm = {
  name: "",
  siteName: "",
  customerXRefId: "",
  division: "",
  groundingType: "",
  type: "Inherit from Customer",
  facilityLocation: "",
};

const StrictFacilityForm = z.object({ ...FacilityForm.shape, ...RequiredPlace.shape });

/** CUS-05 */
export function FacilityDialog({ customer, facility, onClose }: FacilityDialogProps) {
  const [saved, setSaved] = useState(facility);
  const old = usePutBack(`facility/${facility?.id}`);
  const call = useApi();
  const owner = useCustomers().data?.find(({ id }) => id === customer.id);
  const isPlaceRequired = (owner ?? customer).requireDivisionFacilityLocation;
  const latest = owner?.facilities.find(({ id }) => id === saved?.id);
  const form = useSaveForm<FacilityForm>({
    resolver: (values, context, options) => {
      const isNewPlace = !saved || Object.keys(changedValues(valuesOf(saved), values)).some(isRequiredPlaceField);
      return zodResolver(isPlaceRequired && isNewPlace ? StrictFacilityForm : FacilityForm)(values, context, options);
    },
    defaultValues: saved ? valuesOf(saved) : newFacility,
    putBack: saved && old && valuesOf({ ...saved, ...old }),
  });
  const { control, reset, saving, reloadOf } = form;

  const show = (next: SavedFacility) => {
    setSaved(next);
    reset(valuesOf(next));
  };
  const save = saving(async (values) => {
    const id = String(customer.id);
    const next = await (saved
      ? call(updateFacility, {
          params: { id, facilityId: String(saved.id) },
          body: { ...changedValues(valuesOf(saved), values), revision: saved.revision },
        })
      : call(createFacility, { params: { id }, body: values }));
    show(next);
    return "Facility saved successfully";
  });

  return (
    <Dialog title={saved ? `Edit Facility ${saved.name}` : `Add Facility to ${customer.name}`} onClose={onClose}>
      <SaveForm
        form={form}
        onSubmit={save}
        saveLabel="Save"
        className="dialog-form"
        object={saved && `facility/${saved.id}`}
        reload={reloadOf({ noun: "facility", saved, latest, valuesOf, onLoad: setSaved })}
      >
        <div className="dialog-columns">
          <TextField
            control={control}
            name="name"
            label="Name"
            description="At least 3 letters, digits, spaces and , _ . -"
            isRequired
            data-autofocus
          />
          <TextField
            control={control}
            name="siteName"
            label="Site Name"
            description="At least 3 letters, digits, spaces and , _ . -"
            isRequired
          />
          <TextField control={control} name="customerXRefId" label="Customer Cross Reference" />
          <SelectField control={control} name="type" label="Type" data={choicesOf(facilityTypes)} />
          <SelectField control={control} name="division" label="Division" data={choicesOf(divisions)} isRequired={isPlaceRequired} />
          <SelectField control={control} name="groundingType" label="Grounding Type" data={choicesOf(groundingTypes)} />
          <TextField
            control={control}
            name="facilityLocation"
            label="Facility Location"
            description="latitude,longitude such as 44.1,-122.9"
            spellCheck={false}
            isRequired={isPlaceRequired}
          />
        </div>
      </SaveForm>
    </Dialog>
  );
}

function valuesOf({ name, siteName, customerXRefId, division, groundingType, type, facilityLocation }: FacilityForm): FacilityForm {
  return { name, siteName, customerXRefId, division, groundingType, type, facilityLocation };
}
