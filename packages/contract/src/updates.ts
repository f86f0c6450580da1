import * as z from "zod/mini";

// ENV-06: the console's own version, in this one place.
export const consoleVersion = 268;

/** `assets/updates.json`: the newest published console. */
export const Updates = z.object({ version: z.number(), releaseNotes: z.array(z.string()) });
export type Updates = z.infer<typeof Updates>;
