import * as z from "zod/mini";

/** `act` asks for action now, `look` for a look in the daytime, `note` is known and needs no one. Gravest first. */
export const gravities = ["act", "look", "note", "fine"] as const;
export const Gravity = z.enum(gravities);
export type Gravity = z.infer<typeof Gravity>;
