/** Where two JSON values first differ, such as `billingFacilityItems.0.amountFacilityTotal`; undefined when they are equal. */
export function firstDifference(one: unknown, other: unknown, path = ""): string | undefined {
  if (isObject(one) && isObject(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const found = firstDifference(one[key], other[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return Object.is(one, other) ? undefined : path;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
