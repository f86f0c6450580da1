/** How many dialogs are above the page, each above those that were opened before it. */
export const openDialogs = { count: 0 };

export interface KeptFocusOptions {
  /** Nothing that has the keyboard for itself is above it. */
  isOnTop: () => boolean;
  /** What asks for the focus, as long as it does. */
  findAsking?: () => HTMLElement | null;
}

/**
 * A button that is disabled while it works, or that goes with its row or form, would lose the focus to the page. It comes back to the button,
 * or to what follows where the button was, or else to `place`.
 * @returns ends it
 */
export function keepFocus(place: HTMLElement, { isOnTop, findAsking }: KeptFocusOptions): () => void {
  let last: HTMLElement | undefined;
  let address = location.pathname + location.hash;
  const bringBack = (records: readonly MutationRecord[]) => {
    if (!isOnTop()) return;
    const asking = findAsking?.();
    if (asking) focusOn(asking);
    else if (last && document.activeElement === document.body && !last.matches(":disabled")) {
      const isSameScreen = location.pathname + location.hash === address;
      focusOn(last.isConnected ? last : isSameScreen ? neighbourOf(last, records, place) : place);
    }
  };
  const remember = ({ target }: FocusEvent) => {
    last = target as HTMLElement;
    address = location.pathname + location.hash;
  };
  // Left by a press elsewhere, not because it is gone or disabled.
  const forget = ({ relatedTarget, target }: FocusEvent) => {
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      if (last === target && last?.isConnected && !last.matches(":disabled") && document.activeElement === document.body) last = undefined;
    });
  };
  // Not at once: while the focus goes from one to the next, the page has it.
  const observer = new MutationObserver((records) => setTimeout(bringBack, 0, records));
  observer.observe(place, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  place.addEventListener("focusin", remember);
  place.addEventListener("focusout", forget);
  return () => {
    observer.disconnect();
    place.removeEventListener("focusin", remember);
    place.removeEventListener("focusout", forget);
  };
}

function focusOn(target: HTMLElement): void {
  if (document.activeElement !== target) target.focus({ preventScroll: true });
}

/** The next one that Tab reaches where the one that is gone was, or the one before it, as near as there is one. */
function neighbourOf(gone: HTMLElement, records: readonly MutationRecord[], place: HTMLElement): HTMLElement {
  const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
  const next = record?.nextSibling;
  const isBehind = (stop: HTMLElement) => next && (next.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING) === 0;
  for (let around = record?.target; around instanceof HTMLElement && around !== place; around = around.parentElement ?? undefined) {
    const stops = [...around.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [tabindex]")].filter(
      (stop) => stop.tabIndex >= 0 && !stop.matches(":disabled") && stop.checkVisibility(),
    );
    const neighbour = stops.find(isBehind) ?? stops.at(-1);
    if (neighbour) return neighbour;
  }
  return place;
}
