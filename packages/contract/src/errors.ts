import * as z from "zod/mini";

/** The body of every answer that is not a success. */
export const ApiErrorBody = z.object({ errorCode: z.string(), errorMessage: z.string() });
export type ApiErrorBody = z.infer<typeof ApiErrorBody>;

export const errorCodes = {
  invalid: "INVALID",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  notFound: "NOT_FOUND",
  conflict: "CONFLICT",
  tooLarge: "TOO_LARGE",
  tooManyRequests: "TOO_MANY_REQUESTS",
  unavailable: "UNAVAILABLE",
  internal: "INTERNAL",
  loginFailed: "LOGIN_FAILED",
  passcodeRefused: "PASSCODE_REFUSED",
  passcodeRequired: "PASSCODE_REQUIRED",
  mailFailed: "MAIL_FAILED",
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];
