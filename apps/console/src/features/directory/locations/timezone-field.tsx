import { timezones } from "@busbar/contract/values/option-lists.ts";
import { useFormContext } from "react-hook-form";
import { enterInstant, instantOf, type EnteredInstant } from "#lib/entered-instant.ts";
import { errorOf } from "#ui/field-error.ts";
import { Select } from "#ui/select.tsx";
import { useFormField } from "#ui/use-form-field.ts";
import { zoneOrUtc, type LocationValues } from "./location-values.ts";

/** The location's zone. Another zone shows the same start of the equipment on other clocks. */
export function TimezoneField({ entered }: { entered: EnteredInstant }) {
  const { control, getValues, setValue } = useFormContext<LocationValues>();
  const { field, fieldState, formState } = useFormField({ control, name: "timezone" });
  const change = (timezone: string | null) => {
    const start = instantOf(getValues("equipmentStart"), zoneOrUtc(field.value), entered);
    field.onChange(timezone ?? "");
    if ("timestamp" in start && timezone) setValue("equipmentStart", enterInstant(start.timestamp, timezone).text, { shouldDirty: true });
  };
  return (
    <Select
      label="Time Zone"
      data={timezones}
      allowDeselect={false}
      placeholder="Choose one"
      withAsterisk
      aria-required
      {...field}
      value={field.value === "" ? null : field.value}
      onChange={change}
      error={errorOf(fieldState, formState)}
    />
  );
}
