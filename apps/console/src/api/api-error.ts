/** Every failed call: `status` 0 is a network failure (COM-04). */
export class ApiError extends Error {
  status: number;
  errorCode: string;
  constructor(status: number, errorCode: string, message: string) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
  }
}

export const networkFailureMessage = "Unable to connect to server. Please try again later.";

/** What a person reads about any failure. */
export function failureMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something unexpected happened in the console. Reload the page and try again.";
}

export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;
