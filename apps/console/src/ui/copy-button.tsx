import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";

const shownMs = 1_500;

/** Copies a serial number, a key or a file name. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <button type="button" className="plain-button copy-button" tabIndex={-1} title={isCopied ? "Copied" : label} aria-label={isCopied ? `${text} copied` : label} onClick={() => void copy()}>
      {isCopied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
    </button>
  );
}
