import { nodePlainFields } from "@busbar/contract/directory/node-fields.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import { snakeCase } from "#db/select-list.ts";

type PlainField = keyof typeof nodePlainFields;
type ChoiceField = "type" | "nodeHardwareVersion" | "viModuleHardwareVersion" | "deploymentTaskType";
export type WrittenField = PlainField | ChoiceField;
export type WrittenValues = Pick<Node, WrittenField>;

const otherNames: Partial<Record<WrittenField, string>> = { dataPointInterval: "data_point_interval_seconds" };

const choiceFields: ChoiceField[] = ["type", "nodeHardwareVersion", "viModuleHardwareVersion", "deploymentTaskType"];
const fields = [...choiceFields, ...Object.keys(nodePlainFields)] as WrittenField[];

/** The column of each field that people write; statuses have rules of their own. */
export const columnOf = Object.fromEntries(fields.map((field) => [field, otherNames[field] ?? snakeCase(field)])) as Record<
  WrittenField,
  string
>;
export const writtenFields: readonly WrittenField[] = fields;
