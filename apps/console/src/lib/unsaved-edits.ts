/** A dialog or the page: what it holds is lost when it goes. */
export type EditScope = object;

/** What is asked before it is lost. */
export interface LossQuestion {
  title: string;
  text: string;
  stay: string;
  lose: string;
}

interface Noted {
  scope: EditScope | undefined;
  question: LossQuestion | undefined;
}

const edited = new Map<symbol, Noted>();
const notedIn = (scope: EditScope | undefined): Noted[] =>
  [...edited.values()].filter((noted) => scope === undefined || noted.scope === scope);

/** Which forms hold something that is not saved. */
export const unsavedEdits = {
  /** @returns what takes the note back */
  note(scope: EditScope | undefined, question?: LossQuestion): () => void {
    const form = Symbol("form");
    edited.set(form, { scope, question });
    return () => void edited.delete(form);
  },
  /** Within the scope, or anywhere. */
  exist: (scope?: EditScope): boolean => notedIn(scope).length > 0,
  /** Of those within the scope, or anywhere; undefined for the usual one. */
  questionOf: (scope?: EditScope): LossQuestion | undefined => notedIn(scope).find(({ question }) => question)?.question,
  /** The person gave them up: an address that goes with the dialog asks no second time. */
  giveUp(scope: EditScope): void {
    for (const [form, noted] of edited) if (noted.scope === scope) edited.delete(form);
  },
};
