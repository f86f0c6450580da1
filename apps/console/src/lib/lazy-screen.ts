import { lazyRouteComponent } from "@tanstack/react-router";

/**
 * A screen whose part of the program is loaded when it is opened, and again when it is opened after it could not be.
 * The router reloads the whole page when an error says in a browser's words that a part is missing: without a network
 * that leaves the browser's own error page. So the error has other words, and is shown in place of the screen.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw new Error(`Screen not loaded: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }, name);
