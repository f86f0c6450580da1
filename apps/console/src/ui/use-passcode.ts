import { useState } from "react";
import type { Outcome } from "./use-outcome.ts";

/** A 2FA code of a form: asked for in words that are gone once one is typed, and used once. */
export function usePasscode({ message, say, clear }: Pick<Outcome, "message" | "say" | "clear">) {
  const [code, setCode] = useState("");
  const [request, setRequest] = useState<string>();
  return {
    code,
    field: {
      value: code,
      message,
      onChange(text: string): void {
        setCode(text);
        if (message !== undefined && message.text === request) clear();
      },
    },
    /** Says so where it is. */
    isMissing(words = "Please enter 2FA code"): boolean {
      if (code !== "") return false;
      setRequest(words);
      say({ kind: "validation", text: words });
      return true;
    },
    /** After it was sent, whatever came of it. */
    spend: (): void => setCode(""),
  };
}
