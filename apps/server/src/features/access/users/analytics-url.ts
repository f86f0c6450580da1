import { conflict } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { TargetUser } from "./user-guard.ts";

/** USR-10: made from the configured base only, so that no data of a user decides where a browser goes. */
export function analyticsUrl(base: string | undefined, user: TargetUser): string {
  const { username } = user;
  if (base === undefined) throw conflict(say`Analytics is not set up on this server (ANALYTICS_URL)`);
  if (user.activeStatus !== "ACTIVE") throw conflict(say`${{ username }} is suspended`);
  if (!user.accessAnalytics) throw conflict(say`${{ username }} has no access to analytics`);
  const address = new URL(base);
  address.searchParams.set("customer", user.customerCode);
  address.searchParams.set("user", username);
  if (user.analyticsEarlyAccess) address.searchParams.set("earlyAccess", "true");
  return address.toString();
}
