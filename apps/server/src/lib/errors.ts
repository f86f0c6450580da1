import { errorCodes } from "@busbar/contract/errors.ts";
import { say, Sentence } from "./sentence.ts";

/** A refusal that the caller may read: status, code and a sentence that names the object. */
export class AppError extends Error {
  status: number;
  errorCode: string;
  retryAfterSeconds: number | undefined;
  /** The part of the request that is refused, where it is one. */
  field: string | undefined;
  /** The message, where it knows its own words. A demo user reads no other: see `demo-redaction.ts`. */
  sentence: Sentence | undefined;
  constructor(
    status: number,
    errorCode: string,
    message: string | Sentence,
    { retryAfterSeconds, field }: { retryAfterSeconds?: number | undefined; field?: string | undefined } = {},
  ) {
    super(String(message));
    this.sentence = message instanceof Sentence ? message : undefined;
    this.field = field;
    this.status = status;
    this.errorCode = errorCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Plain text stays plain text: no one knows which of its words are the product's own. */
const extended = (text: string | Sentence, extend: (text: string | Sentence) => Sentence): string | Sentence =>
  text instanceof Sentence ? extend(text) : String(extend(text));

export const invalid = (field: string, why: string | Sentence) =>
  new AppError(
    400,
    errorCodes.invalid,
    extended(why, (words) => say`${{ key: field }}: ${words}`),
    { field },
  );
export const unauthorized = (message: string | Sentence = say`Please sign in`) => new AppError(401, errorCodes.unauthorized, message);
export const forbidden = (message: string | Sentence = say`You are not permitted to do this`, field?: string) =>
  new AppError(403, errorCodes.forbidden, message, { field });
export const notFound = (subject: string | Sentence) =>
  new AppError(
    404,
    errorCodes.notFound,
    extended(subject, (words) => say`${words} was not found`),
  );
export const noLongerThere = (message: string | Sentence) => new AppError(404, errorCodes.notFound, message);
export const conflict = (message: string | Sentence, field?: string) => new AppError(409, errorCodes.conflict, message, { field });
export const tooManyRequests = (message: string | Sentence, retryAfterSeconds: number) =>
  new AppError(429, errorCodes.tooManyRequests, message, { retryAfterSeconds });
export const outOfSpace = (message: string | Sentence) => new AppError(507, errorCodes.outOfSpace, message, { retryAfterSeconds: 60 });
export const unavailable = (message: string | Sentence, retryAfterSeconds = 2) =>
  new AppError(503, errorCodes.unavailable, message, { retryAfterSeconds });
/** What someone still has on the screen; `elsewhere` is what else may have become of it. Ids say nothing to people. */
export const gone = (subject: string | Sentence, elsewhere?: string) =>
  new AppError(
    404,
    errorCodes.notFound,
    extended(subject, (words) => say`${words} was not found: it may have been deleted${elsewhere ? `, or ${elsewhere}` : ""}`),
  );
