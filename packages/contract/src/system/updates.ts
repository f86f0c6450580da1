import * as z from "zod/mini";

// ENV-06: the console's own version, in this one place.
export const consoleVersion = 268;

/** A list or lines of text. Notes that cannot be read never hide that there is a newer version. */
function readNotes(notes: unknown): string[] {
  const lines: unknown[] = typeof notes === "string" ? notes.split(/\r?\n/) : Array.isArray(notes) ? notes : [];
  return lines.filter((line) => typeof line === "string" && line.trim() !== "") as string[];
}

/** `assets/updates.json`: the newest published console. */
export const Updates = z.object({ version: z.number(), releaseNotes: z.pipe(z.optional(z.unknown()), z.transform(readNotes)) });
export type Updates = z.infer<typeof Updates>;
