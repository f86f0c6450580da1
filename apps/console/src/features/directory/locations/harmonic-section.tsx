import { harmonicSignatureHelp } from "@busbar/contract/directory/locations.ts";
import { ActionIcon, Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useFieldArray, useFormContext, useFormState } from "react-hook-form";
import { Notice } from "#ui/notice.tsx";
import { BorderedField } from "./bordered-field.tsx";
import type { LocationValues } from "./location-values.ts";

const most = 50;

/** CUS-15 */
export function HarmonicSection() {
  const { control } = useFormContext<LocationValues>();
  const { fields, append, remove } = useFieldArray({ control, name: "harmonicSignatures" });
  const { errors } = useFormState({ control, name: "harmonicSignatures" });
  const rowErrors = errors.harmonicSignatures;
  const ownMessage = rowErrors?.message ?? rowErrors?.root?.message;
  return (
    <fieldset className="location-section">
      <legend>Harmonic Signatures</legend>
      {rowErrors && <Notice kind="validation">{ownMessage ?? harmonicSignatureHelp}</Notice>}
      {fields.map(({ id }, index) => (
        <div key={id} className="signature-row">
          <BorderedField
            control={control}
            name={`harmonicSignatures.${index}.name`}
            label={`Name of signature ${index + 1}`}
            placeholder="Name"
          />
          <BorderedField
            control={control}
            name={`harmonicSignatures.${index}.frequencies`}
            label={`Frequencies of signature ${index + 1}`}
            placeholder="Frequencies in Hz, such as 29.5;59"
          />
          <ActionIcon variant="default" size="lg" aria-label={`Remove signature ${index + 1}`} onClick={() => remove(index)}>
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={fields.length >= most}
        onClick={() => append({ name: "", frequencies: "" })}
      >
        Add harmonic signature
      </Button>
    </fieldset>
  );
}
