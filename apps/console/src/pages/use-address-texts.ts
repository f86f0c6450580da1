import { useAddressCriteria } from "./use-address-criteria.ts";

/** Of texts that are chosen from a few: all that each may be. */
export type TextChoices<Name extends string> = Partial<Record<Name, readonly string[]>>;

/** What an address has of these texts; what it does not have, or what is no longer among the choices, is an empty text. */
export function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[], choices: TextChoices<Name> = {}) {
  const isKnown = (name: Name, text: string) => choices[name]?.includes(text) ?? true;
  const textOf = (name: Name, text: unknown) => (typeof text === "string" && isKnown(name, text) ? text : "");
  return Object.fromEntries(names.map((name) => [name, textOf(name, search[name])])) as Record<Name, string>;
}

/**
 * Texts that a screen keeps in the address, such as filters.
 * @returns the texts, `change` for what is typed, `goTo` for what is chosen
 */
export function useAddressTexts<Name extends string>(path: string, names: readonly Name[], choices?: TextChoices<Name>) {
  const { criteria, change, goTo } = useAddressCriteria<Record<Name, string>>({
    path,
    criteriaOf: (search) => textsOf(search, names, choices),
    searchOf: (texts) => texts,
  });
  return [criteria, change, goTo] as const;
}
