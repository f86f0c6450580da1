import type { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { currentSession } from "#features/access/session/current-session.ts";

interface Move {
  currentLocation: { pathname: string };
  nextLocation: { pathname: string };
}

interface LeaveGuardOptions {
  router: ReturnType<typeof useRouter>;
  /** Asks when something would be lost. */
  mayLeave: () => Promise<boolean>;
  /** NAV-02: the address that is already shown is requested again. */
  onSameAddress: () => void;
}

// A session that ends takes its edits with it: nothing can be saved without one.
const hasEdits = () => currentSession.get() !== undefined && unsavedEdits.exist();

/** Every way to another screen asks before edits are thrown away: links, Back and Forward, the palette, a typed address, a closed tab. */
export function useLeaveGuard({ router, mayLeave, onSameAddress }: LeaveGuardOptions): { go: (path: string) => void } {
  const { history: routes } = router;
  const showAgain = useCallback(() => {
    // At once, where nothing is asked: a moment later the old screen would have asked for its data again too.
    if (!hasEdits()) onSameAddress();
    else void mayLeave().then((isFree) => isFree && onSameAddress());
  }, [mayLeave, onSameAddress]);

  useEffect(
    () =>
      routes.block({
        enableBeforeUnload: hasEdits,
        // Filters change the address too, but not the screen.
        blockerFn: async ({ currentLocation, nextLocation }: Move) =>
          hasEdits() && currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
      }),
    [routes, mayLeave],
  );

  useEffect(() => {
    // The browser itself does nothing for a link to the address that is shown.
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a[href^='#/']");
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.getAttribute("href") !== location.hash) return;
      event.preventDefault();
      showAgain();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [showAgain]);

  const go = (path: string) => {
    if (location.hash === `#${path}`) showAgain();
    else routes.push(path);
  };
  return { go };
}
