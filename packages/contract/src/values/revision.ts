import * as z from "zod/mini";

const largestRevision = 2_147_483_647;

/** A revision as someone was shown it. @param name of the field */
export const ShownRevision = (name: string) =>
  z.optional(
    z
      .int(`${name} is a whole number`)
      .check(z.minimum(1, `${name} is at least 1`), z.maximum(largestRevision, `This ${name} is too large`)),
  );

/** How often a record was saved. Sent back with a change, it refuses one that would overwrite someone else's. */
export const ExpectedRevision = ShownRevision("revision");

/** The same where the body has no room for it. */
export const ExpectedRevisionQuery = z.optional(
  z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, "revision is a whole number, at least 1")), z.transform(Number)),
);

/** Numbers of items that go with a deletion, as they were shown in the confirmation: `3` or `3,12`. */
export const ConfirmedCounts = (parts: number, message: string) =>
  z.pipe(
    z.string(message).check(z.refine((text) => /^\d{1,7}(,\d{1,7})*$/.test(text) && text.split(",").length === parts, message)),
    z.transform((text) => text.split(",").map(Number)),
  );
