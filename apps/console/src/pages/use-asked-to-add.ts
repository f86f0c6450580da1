import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** `?add=` in the address, as the palette leads there: opens the dialog that adds, and leaves the address. */
export function useAskedToAdd(path: string, onAdd: () => void): void {
  const { add }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const latest = useRef(onAdd);
  useEffect(() => {
    latest.current = onAdd;
  });
  const isOpened = useRef(false);
  useEffect(() => {
    const isFirst = !isOpened.current;
    isOpened.current = add !== undefined;
    if (add === undefined) return;
    if (isFirst) latest.current();
    void navigate({ to: path, search: {}, replace: true });
  }, [add, path, navigate]);
}
