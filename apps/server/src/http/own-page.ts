import { forbidden } from "#lib/errors.ts";
import type { Call } from "./endpoints.ts";

/**
 * For a GET that changes something: only a script of a console that this server admits gets through, no picture, link, form, prefetch or other
 * page. Browsers set these headers themselves.
 * @throws AppError 403
 */
export function requireOwnPage({ headers, isAdmittedOrigin }: Call): void {
  const isOurs = headers["sec-fetch-site"] === "same-origin" || isAdmittedOrigin === true;
  if (!isOurs || headers["sec-fetch-mode"] !== "cors")
    throw forbidden("This address changes something and is for the console's own pages. Use PATCH");
}
