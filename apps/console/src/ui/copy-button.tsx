import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { announce } from "#lib/announcer.ts";

const shownMs = 1_500;

export interface CopyButtonProps {
  text: string;
  label: string;
  /** By itself it is for the pointer: tables have hundreds of them. */
  isInTabOrder?: boolean;
}

/** Copies a serial number, a key or a file name. */
export function CopyButton({ text, label, isInTabOrder = false }: CopyButtonProps) {
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
      announce(isInTabOrder ? "Copied" : `${text} copied`);
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
      tabIndex={isInTabOrder ? 0 : -1}
      title={outcome ?? label}
      aria-label={label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}
