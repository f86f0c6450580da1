import type { AvailableNode, LocationNode } from "@busbar/contract/directory/locations.ts";
import { useFormContext, useWatch } from "react-hook-form";
import { SelectField } from "#ui/select-field.tsx";
import type { LocationValues } from "./location-values.ts";

export interface NodeFieldProps {
  name: "nodeSerialNumber" | "secondaryNodeSerialNumber";
  /** The other field: its node is not offered here. */
  other: "nodeSerialNumber" | "secondaryNodeSerialNumber";
  label: string;
  isRequired: boolean;
  /** Free nodes (CUS-13) and those that the location has. */
  nodes: readonly (AvailableNode | LocationNode)[];
}

const mostOffered = 200;

export function NodeField({ name, other, label, isRequired, nodes }: NodeFieldProps) {
  const { control } = useFormContext<LocationValues>();
  const taken = useWatch({ control, name: other });
  const offered = nodes.filter(({ serialNumber }) => serialNumber !== taken);
  return (
    <SelectField
      control={control}
      name={name}
      label={label}
      isRequired={isRequired}
      searchable
      limit={mostOffered}
      nothingFoundMessage="No free node with this serial number"
      data={[
        { value: "", label: "(none)" },
        ...offered.map(({ serialNumber, type, currentDeploymentStatus: current, newDeploymentStatus: next }) => ({
          value: serialNumber,
          label: `${serialNumber} · ${type} · ${current}${next === current ? "" : ` · Next: ${next}`}`,
        })),
      ]}
    />
  );
}
