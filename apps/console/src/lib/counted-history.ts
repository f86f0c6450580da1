import { createHashHistory, type RouterHistory } from "@tanstack/react-router";

/**
 * The router's history, in which entries of links and typed addresses have their place too: the browser makes these without one, and
 * the router could not take back what it does not know the place of.
 */
export function createCountedHistory(): RouterHistory {
  // Before the router's own listener: the window calls them in the order in which they came.
  window.addEventListener("popstate", countEntry);
  const routes = createHashHistory();

  function countEntry() {
    if (window.history.state !== null) return;
    const key = `counted ${Date.now()}`;
    const state = { __TSR_index: (routes.location.state.__TSR_index ?? 0) + 1, key, __TSR_key: key };
    // Not by the page's own object, whose changes the router takes for navigation.
    History.prototype.replaceState.call(window.history, state, "");
  }
  return routes;
}
