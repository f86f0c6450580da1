import * as z from "zod/mini";

/** A moment in whole seconds since 1970-01-01 UTC: so the texts have every time of the wire. */
export const EpochSeconds = z.int();
