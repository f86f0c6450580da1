/** Screens of the console that mail leads to, by their routes: the console's router and every link of a mail take them from here. */
export const linkedScreens = { billing: "/accounts/billing", downloads: "/downloads" } as const;
export type LinkedScreen = keyof typeof linkedScreens;

/** @param consoleUrl as people reach it, without a slash at its end */
export const consoleLink = (consoleUrl: string, screen: LinkedScreen): string => `${consoleUrl}/admin/#${linkedScreens[screen]}`;
