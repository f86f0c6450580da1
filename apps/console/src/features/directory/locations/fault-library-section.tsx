import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { useFormContext } from "react-hook-form";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import type { LocationValues } from "./location-values.ts";

/** CUS-14 */
export function FaultLibrarySection({ flags }: { flags: readonly FaultLibraryFlag[] }) {
  const { control } = useFormContext<LocationValues>();
  return (
    <fieldset className="location-section">
      <legend>Fault Library Alerts</legend>
      <div className="flag-grid">
        {flags.map(({ name, display_name, notes, node_type }) => (
          <CheckboxField
            key={name}
            control={control}
            name={`faultLibraryAlertFlags.${name}`}
            label={display_name}
            description={[nodeWords(node_type), notes].filter(Boolean).join(". ")}
          />
        ))}
      </div>
    </fieldset>
  );
}

const nodeWords = (nodeType: string): string => (nodeType === "all" ? "All nodes" : nodeType);
