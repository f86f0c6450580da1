import * as z from "zod/mini";

// Rules of console-2 section 5; the same schemas check the form and the server.

/** Lowercased; a lowercase letter, then lowercase letters, digits, @ . _ */
export const Username = z.pipe(
  z.pipe(
    z.string("Username is required"),
    z.transform((text) => text.toLowerCase()),
  ),
  z
    .string()
    .check(
      z.regex(
        /^[a-z][a-z0-9@._]{1,63}$/,
        "A username begins with a lowercase letter, then has lowercase letters, digits, @ . _ and at least 2 characters (64 at most)",
      ),
    ),
);

/** Letters, spaces and single quotes, a letter first, at least two letters. */
export const personName = (label: string) =>
  z
    .string(`${label} is required`)
    .check(
      z.regex(
        /^(?=.{2,64}$)\p{L}[ ']*\p{L}[\p{L} ']*$/u,
        `${label} has letters, spaces and single quotes, begins with a letter and has at least two letters (64 characters at most)`,
      ),
    );

export const EmailAddress = z
  .string("Email is required")
  .check(z.maxLength(254, "Email has at most 254 characters"), z.email("This is not an e-mail address such as name@company.example"));

export const passwordAlphabet = "letters, digits and # . ! & % + - _";

/** What every password must be; the server refuses easily guessed ones too, and asks more of administrators. */
export const NewPassword = z
  .string("Password is required")
  .check(
    z.minLength(8, "A password has at least 8 characters"),
    z.maxLength(128, "A password has at most 128 characters"),
    z.regex(/^[A-Za-z0-9#.!&%+\-_]*$/, `A password is made of ${passwordAlphabet}`),
  );

/** Typed once more. */
export const PasswordConfirm = z.string("passwordConfirm is a text").check(z.minLength(1, "Type the password once more"));
export const passwordsDiffer = "Passwords don't match";
