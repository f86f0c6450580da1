/** The values that differ from the saved ones: only these are sent, so that no one else's change of another field is undone. */
export function changedValues<Values extends object>(saved: Values, values: Values): Partial<Values> {
  const changed = Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Values]));
  return Object.fromEntries(changed) as Partial<Values>;
}
