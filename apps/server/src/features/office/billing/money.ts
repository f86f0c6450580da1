const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** As people write it: `$1,484.42`. */
export const money = (cents: number): string => dollars.format(cents / 100);
