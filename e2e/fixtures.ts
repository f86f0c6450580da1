import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";

export { expect };

export interface WorldFacts {
  url: string;
  mqttUrl: string;
  dataDir: string;
}
export const world = (): WorldFacts => JSON.parse(process.env["E2E_WORLD"] ?? "{}") as WorldFacts;

export const password = "Busbar-demo-1";
export type Person = "sysadmin" | "accounts" | "admin" | "staff";

export interface Console {
  page: Page;
  /** Opens a route such as `/home`. */
  open: (route: string) => Promise<void>;
  signIn(username?: string): Promise<void>;
}

/** Signs in without the form: a token of the API in the console's cookies. */
export async function signInByCookie(context: BrowserContext, url: string, person: string): Promise<void> {
  const post = () => context.request.post(`${url}/api/sessions/administrator`, { data: { username: person, password } });
  let response = await post();
  // A database that gives no connection within 3 s, as on a busy machine, is asked once more.
  while (response.status() === 503) response = await post();
  if (!response.ok()) throw new Error(`${person} was not signed in: ${response.status()} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { token: string; roles: string[] } };
  await context.addCookies([
    { name: "admin-token", value: data.token, url },
    { name: "admin-roles", value: encodeURIComponent(JSON.stringify(data.roles)), url },
  ]);
}

/**
 * Playwright empties the cache of a context that is used again, so that each test would load and compile the console anew. Its files have other names
 * when they hold something else, and of everything else the server is asked whether it is still so.
 */
function keepCache(context: BrowserContext): void {
  interface Own {
    clearCache(): Promise<void>;
  }
  const { _connection: connection } = context as unknown as { _connection: { toImpl(shown: BrowserContext): Own } };
  const own = connection.toImpl(context);
  if (typeof own.clearCache !== "function") throw new Error("Playwright empties the cache of a context in another way now");
  own.clearCache = () => Promise.resolve();
}

export const test = base.extend<{ app: Console }>({
  context: async ({ context }, provide) => {
    keepCache(context);
    await provide(context);
  },
  app: async ({ page, context }, provide) => {
    const { url } = world();
    // All that stays of a context that was used before.
    await context.setOffline(false);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await provide({
      page,
      open: async (route) => {
        await page.goto(`${url}/admin/#${route}`);
      },
      signIn: (username = "staff") => signInByCookie(context, url, username),
    });
    // No test may leave an uncaught error in the page.
    expect(problems).toEqual([]);
  },
});
