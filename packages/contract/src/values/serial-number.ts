import * as z from "zod/mini";

/** Five digits, the first not zero. */
export const serialNumberPattern = /^[1-9]\d{4}$/;

export const SerialNumber = z.string().check(z.regex(serialNumberPattern, "A serial number is 5 digits, the first not 0"));
