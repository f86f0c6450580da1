/** A dialog or the page: what it holds is lost when it goes. */
export type EditScope = object;

const edited = new Map<symbol, EditScope | undefined>();

/** Which forms hold something that is not saved. */
export const unsavedEdits = {
  /** @returns what takes the note back */
  note(scope: EditScope | undefined): () => void {
    const form = Symbol("form");
    edited.set(form, scope);
    return () => void edited.delete(form);
  },
  /** Within the scope, or anywhere. */
  exist: (scope?: EditScope): boolean => (scope === undefined ? edited.size > 0 : [...edited.values()].includes(scope)),
  /** The person gave them up: an address that goes with the dialog asks no second time. */
  giveUp(scope: EditScope): void {
    for (const [form, formScope] of edited) if (formScope === scope) edited.delete(form);
  },
};
