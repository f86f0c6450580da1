import { configCatalogue, configGroups } from "@busbar/contract/config-catalogue.ts";
import type { ConfigGroup, ConfigParameter } from "@busbar/contract/config-catalogue.ts";

export interface ConfigRowData {
  key: string;
  /** What the node told; undefined when it does not have the parameter. */
  value: string | undefined;
  /** Absent for a key that only the node knows: it is shown and cannot be changed. */
  parameter: ConfigParameter | undefined;
}

/** CFG-02: the catalogue's groups in their order; keys that no group names fall in Other. */
export function groupRows(values: Readonly<Record<string, string>>): { group: ConfigGroup; rows: ConfigRowData[] }[] {
  const known = new Set<string>(configCatalogue.map(({ key }) => key));
  const foreign = Object.keys(values)
    .filter((key) => !known.has(key))
    .toSorted();
  return configGroups.map((group) => ({
    group,
    rows: [
      ...configCatalogue
        .filter((parameter) => parameter.group === group)
        .map((parameter) => ({ key: parameter.key, value: values[parameter.key], parameter })),
      ...(group === "Other" ? foreign.map((key) => ({ key, value: values[key], parameter: undefined })) : []),
    ],
  }));
}

export const shownValue = (value: string): string => (value === "" ? "(empty)" : value);
