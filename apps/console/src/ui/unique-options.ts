/** What the library's selects take: texts, options, and groups of both. */
type Listed = string | number | boolean | bigint | { value: unknown } | { group: string; items: readonly Listed[] };

const valueOf = (listed: Exclude<Listed, { group: string }>) => String(typeof listed === "object" ? listed.value : listed);

/** Options of which each value occurs once, the first of it, however the list was put together. */
export function uniqueOptions<Option>(options: readonly Option[] = [], seen = new Set<string>()): Option[] {
  return (options as readonly Listed[]).flatMap((listed): Listed[] => {
    if (typeof listed === "object" && "group" in listed) return [{ ...listed, items: uniqueOptions(listed.items, seen) }];
    const value = valueOf(listed);
    if (seen.has(value)) return [];
    seen.add(value);
    return [listed];
  }) as Option[];
}
