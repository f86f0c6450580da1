import { forbidden } from "#lib/errors.ts";
import type { Call } from "./endpoints.ts";

/**
 * For a GET that changes something: only a script of this site's own page gets through, no picture, link, form, prefetch or other
 * page. Browsers set these headers themselves.
 * @throws AppError 403
 */
export function requireOwnPage({ headers }: Call): void {
  if (headers["sec-fetch-site"] !== "same-origin" || headers["sec-fetch-mode"] !== "cors")
    throw forbidden("This address changes something and is for the console's own pages. Use PATCH");
}
