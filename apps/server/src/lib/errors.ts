import { errorCodes } from "@busbar/contract/errors.ts";

/** A refusal that the caller may read: status, code and a sentence that names the thing. */
export class AppError extends Error {
  status: number;
  errorCode: string;
  retryAfterSeconds: number | undefined;
  /** The part of the request that is refused, where it is one. */
  field: string | undefined;
  constructor(
    status: number,
    errorCode: string,
    message: string,
    { retryAfterSeconds, field }: { retryAfterSeconds?: number | undefined; field?: string | undefined } = {},
  ) {
    super(message);
    this.field = field;
    this.status = status;
    this.errorCode = errorCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const invalid = (field: string, why: string) => new AppError(400, errorCodes.invalid, `${field}: ${why}`, { field });
export const unauthorized = (message = "Please sign in") => new AppError(401, errorCodes.unauthorized, message);
export const forbidden = (message = "You are not permitted to do this", field?: string) =>
  new AppError(403, errorCodes.forbidden, message, { field });
export const notFound = (thing: string) => new AppError(404, errorCodes.notFound, `${thing} was not found`);
export const noLongerThere = (message: string) => new AppError(404, errorCodes.notFound, message);
export const conflict = (message: string, field?: string) => new AppError(409, errorCodes.conflict, message, { field });
export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new AppError(429, errorCodes.tooManyRequests, message, { retryAfterSeconds });
export const outOfSpace = (message: string) => new AppError(507, errorCodes.outOfSpace, message, { retryAfterSeconds: 60 });
export const unavailable = (message: string, retryAfterSeconds = 2) =>
  new AppError(503, errorCodes.unavailable, message, { retryAfterSeconds });
/** What somebody still has on the screen; `elsewhere` is what else may have become of it. Ids say nothing to people. */
export const gone = (thing: string, elsewhere?: string) =>
  new AppError(404, errorCodes.notFound, `${thing} was not found: it was deleted${elsewhere ? `, or ${elsewhere}` : ""}`);
