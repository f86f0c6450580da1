import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const writeAfterMs = 200;

/** The filter text of a screen, kept in the address: written there a moment after the last key, read from it at any time. */
export function useFilterText(path: string) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [pending, setPending] = useState<string | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = async (filterText: string) => {
    await navigate({ to: path, search: filterText === "" ? {} : { filterText }, replace: true });
    setPending((current) => (current === filterText ? undefined : current));
  };
  const change = (filterText: string) => {
    setPending(filterText);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void write(filterText), writeAfterMs);
  };
  const written = typeof search["filterText"] === "string" ? search["filterText"] : "";
  return [pending ?? written, change] as const;
}
