interface ObjectSchema {
  shape: object;
}

type FieldOf<Schema extends ObjectSchema> = keyof Schema["shape"] & string;

/**
 * The columns of a row as the contract has it: each field by its wire name, from the column of the same name in snake case or from an
 * expression. A field that is new in the contract is selected at once, or fails by name where the table has no such column.
 */
export function selectList<Schema extends ObjectSchema>(
  { shape }: Schema,
  table: string,
  expressions: Partial<Record<FieldOf<Schema>, string>> = {},
): string {
  return (Object.keys(shape) as FieldOf<Schema>[])
    .map((field) => `${expressions[field] ?? `${table}.${snakeCase(field)}`} as "${field}"`)
    .join(", ");
}

/** A schema without fields that do not come from the same row. */
export function without<Schema extends ObjectSchema, Field extends FieldOf<Schema>>(
  { shape }: Schema,
  ...fields: Field[]
): { shape: Omit<Schema["shape"], Field> } {
  const kept = Object.entries(shape).filter(([name]) => !fields.includes(name as Field));
  return { shape: Object.fromEntries(kept) as Omit<Schema["shape"], Field> };
}

/** The column of a wire name. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
