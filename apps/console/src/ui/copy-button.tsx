import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { announce } from "#lib/announcer.ts";

const shownMs = 1_500;

/** Copies a serial number, a key or a file name. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | undefined>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
      announce(`${text} copied`);
    } catch {
      setOutcome("refused");
      announce("The browser did not allow copying");
    }
  };
  const Icon = outcome === "copied" ? IconCheck : outcome === "refused" ? IconX : IconCopy;
  return (
    <button
      type="button"
      className="plain-button copy-button"
      tabIndex={-1}
      title={outcome ?? label}
      aria-label={label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}
