import { isRelayLocation } from "@busbar/contract/directory/locations.ts";
import { useFormContext, useWatch } from "react-hook-form";
import { TextField } from "#ui/text-field.tsx";
import type { LocationValues } from "./location-values.ts";

const fields = [
  { name: "npVoltage", label: "Voltage (V)" },
  { name: "npCurrent", label: "Current (A)" },
  { name: "npHp", label: "Horse Power" },
  { name: "npRpm", label: "RPM" },
  { name: "npPoles", label: "Poles" },
  { name: "npRotorBars", label: "Rotor Bars" },
  { name: "npServiceFactor", label: "Service Factor" },
] as const;

/** CUS-12 */
export function NameplateSection({ nodeTypeOf }: { nodeTypeOf: (serial: string) => string | undefined }) {
  const { control } = useFormContext<LocationValues>();
  const [nodeSerialNumber, secondaryNodeSerialNumber] = useWatch({ control, name: ["nodeSerialNumber", "secondaryNodeSerialNumber"] });
  const isRequired = isRelayLocation({ nodeSerialNumber, secondaryNodeSerialNumber }, nodeTypeOf);
  return (
    <fieldset className="location-section">
      <legend>{isRequired ? "Relay Nameplate Data (Required)" : "Nameplate Data"}</legend>
      <div className="location-grid is-narrow">
        {fields.map(({ name, label }) => (
          <TextField key={name} control={control} name={name} label={label} inputMode="decimal" isRequired={isRequired} />
        ))}
      </div>
    </fieldset>
  );
}
