import * as z from "zod/mini";

// COM-09: the rules of text inputs, as schemas for the forms.

/** One line: required means non-empty; spaces count. */
export const requiredText = (message = "Required") => z.string().check(z.minLength(1, message));

/** Several lines: required means not blank. */
export const notBlankText = (message = "Required") => z.string().check(z.refine((text) => text.trim() !== "", message));

/** Empty, or of the pattern's form. Compose with `requiredText` where it must be given. */
export const textLike = (pattern: RegExp, message: string) =>
  z.string().check(z.refine((text) => text === "" || pattern.test(text), message));

/** For an object's `check`: field `name` must equal field `other`; the message is at `name`. */
export function mustMatch<Values extends Record<string, unknown>>(
  name: keyof Values & string,
  other: keyof Values & string,
  message: string,
) {
  return z.refine<Values>((values) => values[name] === values[other], { error: message, path: [name] });
}
