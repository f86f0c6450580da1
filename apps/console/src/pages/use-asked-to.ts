import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** `?add=` or `?location=` in the address, as links lead there: opens the dialog that is asked for, and leaves the address. */
export function useAskedTo(name: "add" | "location", path: string, onAsked: (what: string) => void): void {
  const { [name]: asked }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const latest = useRef(onAsked);
  useEffect(() => {
    latest.current = onAsked;
  });
  const isOpened = useRef(false);
  useEffect(() => {
    const isFirst = !isOpened.current;
    isOpened.current = asked !== undefined;
    if (asked === undefined) return;
    if (isFirst) latest.current(typeof asked === "string" ? asked : "");
    void navigate({ to: path, search: {}, replace: true });
  }, [asked, path, navigate]);
}
