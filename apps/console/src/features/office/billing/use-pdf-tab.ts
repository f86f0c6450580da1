import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import type { Message } from "#ui/message-line.tsx";
import { openNewTab } from "./new-tab.ts";

/** Opens what takes a moment to make in a new tab, and says how that goes. */
export function usePdfTab() {
  const [message, setMessage] = useState<Message | undefined>();
  /** Where the file waits when the browser opened no tab. */
  const [blockedPdf, setBlockedPdf] = useState<string | undefined>();
  /**
   * @param make the file's address; undefined when there is none yet
   * @param refuse marks the field that the server refused
   */
  const open = async (make: () => Promise<string | undefined>, success: string, refuse?: (error: unknown) => void): Promise<boolean> => {
    const tab = openNewTab("Invoice");
    setBlockedPdf(undefined);
    setMessage({ kind: "working", text: "Sending request to server..." });
    try {
      const address = await make();
      if (address === undefined) {
        tab.close();
        setMessage(undefined);
        return false;
      }
      if (!tab.go(address)) setBlockedPdf(address);
      setMessage({ kind: "success", text: success });
      return true;
    } catch (failure) {
      tab.close();
      setMessage({ kind: "error", text: failureMessage(failure) });
      refuse?.(failure);
      return false;
    }
  };
  return { open, message, clear: () => setMessage(undefined), blockedPdf, forget: () => setBlockedPdf(undefined) };
}
