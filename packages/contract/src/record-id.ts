import * as z from "zod/mini";

/** Number of a stored record as it stands in an address. */
export const RecordId = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, "is a whole number from 1 to 999999999")), z.transform(Number));
