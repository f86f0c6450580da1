import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const writeAfterMs = 200;

/**
 * Texts that a screen keeps in the address, such as filters: shown at once, written a moment after the last key in place of
 * the address before. What is not in the address is an empty text. `goTo` writes at once: for what is chosen, not typed.
 * @returns the texts, `change`, `goTo`
 */
export function useAddressTexts<Name extends string>(path: string, names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [pending, setPending] = useState<Record<Name, string> | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const written = Object.fromEntries(names.map((name) => [name, typeof search[name] === "string" ? search[name] : ""])) as Record<
    Name,
    string
  >;
  const write = async (next: Record<Name, string>) => {
    await navigate({ to: path, search: next, replace: true });
    setPending((current) => (current === next ? undefined : current));
  };
  const change = (next: Record<Name, string>) => {
    const changedAt = window.location.hash;
    setPending(next);
    clearTimeout(timer.current);
    // Whoever went elsewhere meanwhile is not fetched back.
    timer.current = setTimeout(() => void (window.location.hash === changedAt ? write(next) : setPending(undefined)), writeAfterMs);
  };
  const goTo = (next: Record<Name, string>) => {
    clearTimeout(timer.current);
    setPending(undefined);
    void write(next);
  };
  return [pending ?? written, change, goTo] as const;
}
