const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Whole cents as dollars: `$1,800.00`. */
export const formatMoney = (cents: number): string => dollars.format(cents / 100);
