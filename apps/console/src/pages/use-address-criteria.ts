import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

export interface AddressCriteriaOptions<Criteria> {
  path: string;
  criteriaOf: (search: Record<string, unknown>) => Criteria;
  searchOf: (criteria: Criteria) => Record<string, string>;
}

const writeAfterMs = 200;

/**
 * What a screen is filtered and sorted by, kept in the address: shown at once and written at once, so that it is there when someone
 * leaves and comes back; the router hears of it a moment after the last key.
 */
export function useAddressCriteria<Criteria>({ path, criteriaOf, searchOf }: AddressCriteriaOptions<Criteria>) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const [pending, setPending] = useState<Criteria | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  // Which saved view the list began with stays beside what it is filtered by.
  const { view } = search;
  const searchWith = (criteria: Criteria) => ({ ...searchOf(criteria), ...(typeof view === "string" ? { view } : {}) });
  const write = async (next: Criteria) => {
    await navigate({ to: path, search: searchWith(next), replace: true });
    setPending((current) => (current === next ? undefined : current));
  };

  return {
    criteria: pending ?? criteriaOf(search),
    search,
    change(this: void, next: Criteria): void {
      writeQuietly(router.history.createHref(router.buildLocation({ to: path, search: searchWith(next) }).href));
      const changedAt = window.location.hash;
      setPending(next);
      clearTimeout(timer.current);
      // Whoever went elsewhere meanwhile is not fetched back: this screen is shown until the next one is loaded.
      timer.current = setTimeout(() => void (window.location.hash === changedAt ? write(next) : setPending(undefined)), writeAfterMs);
    },
    /** Writes at once: for what is chosen, not typed. */
    goTo(this: void, next: Criteria): void {
      clearTimeout(timer.current);
      setPending(undefined);
      void write(next);
    },
    /** Writes at once what would be written in a moment. */
    async settle(this: void): Promise<void> {
      clearTimeout(timer.current);
      if (pending !== undefined) await write(pending);
    },
  };
}

/** Changes the address without a word to the router, which has put its own function in the place of the browser's. */
function writeQuietly(href: string): void {
  try {
    History.prototype.replaceState.call(window.history, window.history.state, "", href);
  } catch {
    // Safari refuses more than 100 in ten seconds: then it is written when the typing has ended.
    return;
  }
}
