import { pageCookies } from "#lib/cookies.ts";

const usernameCookie = "admin-username";
const serverCookie = "admin-remoteserver";
const rememberedDays = 30;

/** What the login page remembers for 30 days (LOG-09). */
export const rememberedLogin = {
  username: (): string | undefined => pageCookies.read(usernameCookie),
  rememberUsername: (entry: string): void => pageCookies.write(usernameCookie, entry, rememberedDays),
  server: (): string | undefined => pageCookies.read(serverCookie),
  rememberServer: (name: string): void => pageCookies.write(serverCookie, name, rememberedDays),
};
