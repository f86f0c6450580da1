import { errorCodes } from "@busbar/contract/errors.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isDeadlock, isRuleOfSchema } from "#db/transaction.ts";
import { AppError, outOfSpace } from "#lib/errors.ts";
import { StorageFailure } from "#lib/storage-failure.ts";

/** The one place where an error becomes an answer. */
export function answerError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, errorCode, message, retryAfterSeconds, field } = presentError(error, request);
  // A refusal of ours is no fault of the server, also when its status is that of a gateway.
  if (status >= 500 && status !== 503 && !(error instanceof AppError))
    request.log.error({ err: error, requestId: request.id }, "unexpected error");
  // Mostly someone else was quicker; if it is a fault of ours, the log has it.
  if ("code" in error && error.code === missingRow) request.log.warn({ err: error, requestId: request.id }, "refused by a foreign key");
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ errorCode, errorMessage: withoutPasscode(message), ...(field === undefined ? {} : { field }) }));
}

/** A message may quote an address, which may hold a passcode (SEC-03). */
const withoutPasscode = (message: string): string => message.replaceAll(/(\/2fa\/)[^/\s']+/g, "$1…");

function presentError(
  error: FastifyError | AppError,
  request: FastifyRequest,
): { status: number; errorCode: string; message: string; retryAfterSeconds?: number | undefined; field?: string | undefined } {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) {
    return {
      status: 503,
      errorCode: errorCodes.unavailable,
      message: "The database cannot be reached at the moment. Please try again",
      retryAfterSeconds: 2,
    };
  }
  if (error instanceof StorageFailure) {
    return {
      status: 503,
      errorCode: errorCodes.unavailable,
      message: "The storage of files cannot be used at the moment. Please try again",
      retryAfterSeconds: 10,
    };
  }
  if (diskFull.has(error.code)) return outOfSpace("The server's disk is full. Nothing was stored; please try again later");
  if (error.code === unstorableText) return { status: 400, errorCode: errorCodes.invalid, message: "The text holds a NUL character" };
  if (isDeadlock(error))
    return {
      status: 409,
      errorCode: errorCodes.conflict,
      message: "Someone else is changing the same record right now. Please try again",
    };
  if (error.code === missingRow)
    return { status: 409, errorCode: errorCodes.conflict, message: "What this belongs to was deleted meanwhile. Please load it again" };
  if (isRuleOfSchema(error)) return { status: 409, errorCode: errorCodes.conflict, message: error.message };
  const status = error.statusCode ?? 500;
  if (status === 413)
    return {
      status,
      errorCode: errorCodes.tooLarge,
      message: `The request is larger than ${(request.routeOptions.bodyLimit ?? 1_048_576) / 1_048_576} MB`,
    };
  if (status === 415) return { status, errorCode: errorCodes.invalid, message: "content-type: this call takes application/json" };
  if (status === 414) return { status, errorCode: errorCodes.tooLarge, message: "The address is too long" };
  if (status >= 400 && status < 500) return { status, errorCode: errorCodes.invalid, message: error.message };
  return {
    status: 500,
    errorCode: errorCodes.internal,
    message: `Something went wrong on the server. The log has it under request ${request.id}`,
  };
}

/** Codes of the operating system and of PostgreSQL. */
const diskFull: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "53100"]);
/** PostgreSQL's code for bytes that no text column can hold; JSON can carry only one such character. */
const unstorableText = "22021";

/** PostgreSQL's code of a foreign key: calls look before they write, so someone else was quicker. */
const missingRow = "23503";

const networkCodes = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"]);

/** Whether a query failed because the database is away, starting, stopping, hanging or a read-only replica, rather than because of the query. */
export function isDatabaseAway(error: { code?: unknown; message: string }): boolean {
  const code = typeof error.code === "string" ? error.code : "";
  return (
    networkCodes.has(code) ||
    /^(57P0[1-3]|53300|08\w{3}|57014|25006)$/.test(code) ||
    /Connection terminated|connection error and is not queryable|connection timeout|timeout exceeded when trying to connect|Query read timeout/i.test(
      error.message,
    )
  );
}
