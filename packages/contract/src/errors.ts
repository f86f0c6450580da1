import * as z from "zod/mini";

/** The body of every answer that is not a success. */
export const ApiErrorBody = z.object({
  errorCode: z.string(),
  errorMessage: z.string(),
  /** The part of the request that was refused: a form marks its field. */
  field: z.optional(z.string()),
});
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
  outOfSpace: "OUT_OF_SPACE",
  internal: "INTERNAL",
  loginFailed: "LOGIN_FAILED",
  passcodeRefused: "PASSCODE_REFUSED",
  nodeNotConnected: "NODE_NOT_CONNECTED",
  nodeConflict: "NODE_CONFLICT",
  nodeRefused: "NODE_REFUSED",
  nodeSilent: "NODE_DID_NOT_ANSWER",
  nodeContradicts: "NODE_CONTRADICTS_ITSELF",
  passcodeRequired: "PASSCODE_REQUIRED",
  mailFailed: "MAIL_FAILED",
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];
