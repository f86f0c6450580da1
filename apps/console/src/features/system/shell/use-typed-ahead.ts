import { useEffect, useState } from "react";
import { isField } from "#ui/use-page-keys.ts";

/** Such as a button of one that says why there is no field. */
const isInDialog = (target: EventTarget | null): boolean => target instanceof Element && target.closest("[role='dialog']") !== null;

/**
 * What is typed into a field, with what came before the field was loaded and had the focus: as long as the field takes it. Empty again with
 * each time that it is open.
 */
export function useTypedAhead(isOpen: boolean, maxLength: number): [string, (typed: string) => void] {
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target) || isField(event.target) || event.key.length !== 1)
        return;
      event.preventDefault();
      // It is a letter now, and no key of the screen.
      event.stopPropagation();
      setTyped((before) => (before + event.key).slice(0, maxLength));
    };
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      setTyped("");
    };
  }, [isOpen, maxLength]);
  return [typed, setTyped];
}
