import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

export interface AddressCriteriaOptions<Criteria> {
  path: "/node-dashboard" | "/nodes";
  criteriaOf: (search: Record<string, unknown>) => Criteria;
  searchOf: (criteria: Criteria) => Record<string, string>;
}

const writeAfterMs = 200;

/** What a list is filtered and sorted by, kept in the address: it is replaced a moment after the last key. */
export function useAddressCriteria<Criteria>({ path, criteriaOf, searchOf }: AddressCriteriaOptions<Criteria>) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [pending, setPending] = useState<Criteria | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = async (next: Criteria) => {
    await navigate({ to: path, search: searchOf(next), replace: true });
    setPending((current) => (current === next ? undefined : current));
  };

  return {
    criteria: pending ?? criteriaOf(search),
    search,
    write,
    change(this: void, next: Criteria): void {
      setPending(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void write(next), writeAfterMs);
    },
    /** Writes at once what would be written in a moment. */
    async settle(this: void): Promise<void> {
      clearTimeout(timer.current);
      if (pending !== undefined) await write(pending);
    },
  };
}
