import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const writeAfterMs = 200;

/**
 * Texts that a screen keeps in the address, such as filters: shown at once, written a moment after the last key in place of
 * the address before. What is not in the address is an empty text.
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
    setPending(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void write(next), writeAfterMs);
  };
  return [pending ?? written, change] as const;
}
