import { useAddressCriteria } from "./use-address-criteria.ts";

/**
 * Texts that a screen keeps in the address, such as filters; what is not in the address is an empty text.
 * @returns the texts, `change` for what is typed, `goTo` for what is chosen
 */
export function useAddressTexts<Name extends string>(path: string, names: readonly Name[]) {
  type Texts = Record<Name, string>;
  const { criteria, change, goTo } = useAddressCriteria<Texts>({
    path,
    criteriaOf: (search) => Object.fromEntries(names.map((name) => [name, typeof search[name] === "string" ? search[name] : ""])) as Texts,
    searchOf: (texts) => texts,
  });
  return [criteria, change, goTo] as const;
}
