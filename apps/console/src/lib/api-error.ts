/** Every failed call: `status` 0 is a network failure (COM-04). */
export class ApiError extends Error {
  status: number;
  errorCode: string;
  /** The part of the request that was refused, where the server names one. */
  field: string | undefined;
  constructor(status: number, errorCode: string, message: string, field?: string) {
    super(message);
    this.field = field;
    this.status = status;
    this.errorCode = errorCode;
  }
}

/** USR-08, letter for letter: a failure that says nothing of itself. */
export const unexpectedMessage = "Unexpected error happened, Please try later.";
export const sessionOverText = "Your session has ended. Please sign in again";

export const networkFailureMessage = "Unable to connect to server. Please try again later.";

/** What a person reads about any failure. */
export function failureMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something unexpected happened in the console. Reload the page and try again.";
}

/** What the sign-in that is asked for says already. */
export const isSessionOver = (error: unknown): boolean => error instanceof ApiError && error.errorCode === "UNAUTHORIZED";
/** COM-04: no server was reached. */
export const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.status === 0;
export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;

/** Once more, unless the server has refused: what it refuses once it refuses again. */
export function isWorthRetrying(failureCount: number, error: unknown): boolean {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failureCount < 1 && !isRefusal;
}
