import { getUserAnalyticsUrl, type User } from "@busbar/contract/access/users.ts";
import type { Client } from "#api/client.ts";
import { ApiError } from "#lib/api-error.ts";

/** USR-10: the tab is opened with the click, or the browser would take it for an advertisement; its address follows. */
export async function openAnalytics(call: Client, user: User): Promise<void> {
  const tab = window.open("about:blank", "_blank");
  if (tab) tab.opener = null;
  try {
    const address = new URL(await call(getUserAnalyticsUrl, { params: { id: String(user.id) } }));
    if (!/^https?:$/.test(address.protocol)) throw new ApiError(0, "UNSAFE", "The server gave an address that is no web page");
    if (!tab) throw new ApiError(0, "BLOCKED", "The browser did not allow a new tab. Allow it for this page and try again");
    tab.location.replace(address.toString());
  } catch (error) {
    tab?.close();
    throw error;
  }
}
