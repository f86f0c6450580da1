import { configCatalogue, configGroups, type ConfigGroup, type ConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import type { ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";

export interface ConfigRowData {
  key: string;
  /** What the node reported; undefined when it does not have the parameter. */
  value: string | undefined;
  /** Absent for a key that only the node knows. */
  parameter: ConfigParameter | undefined;
  /** Of such a key, as the node reported it. */
  datatype: ConfigDatatype | undefined;
}

/** CFG-02: the catalogue's groups in their order; keys that no group names fall in Other. */
export function groupRows(
  values: Readonly<Record<string, string>>,
  types: Readonly<Record<string, ConfigDatatype>> = {},
): { group: ConfigGroup; rows: ConfigRowData[] }[] {
  const known = new Set<string>(configCatalogue.map(({ key }) => key));
  const unlisted = Object.keys(values)
    .filter((key) => !known.has(key))
    .toSorted();
  return configGroups.map((group) => ({
    group,
    rows: [
      ...configCatalogue
        .filter((parameter) => parameter.group === group)
        .map((parameter) => ({ key: parameter.key, value: values[parameter.key], parameter, datatype: undefined })),
      ...(group === "Other" ? unlisted.map((key) => ({ key, value: values[key], parameter: undefined, datatype: types[key] })) : []),
    ],
  }));
}

export const shownValue = (value: string): string => (value === "" ? "(empty)" : value);

export function aboutRow({ parameter, datatype }: ConfigRowData): string {
  if (parameter) return parameter.description;
  return `Reported by the node${datatype ? ` as ${datatype}` : ""}. Its range is not known here: the node decides.`;
}
