import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";

export const kindLabels: Record<DataFileKind, string> = {
  D: "Data point",
  S: "1-second",
  H: "Harmonics",
  E: "Event",
  X: "External",
};

/** Choices of the list; the letters go to the server, none means all. */
export const kindChoices = [
  { value: "D", label: "Data point files" },
  { value: "S", label: "1-second files" },
  { value: "H", label: "Harmonics files" },
  { value: "E", label: "Event files" },
  { value: "X", label: "External files" },
  { value: "all", label: "All files" },
] as const;
