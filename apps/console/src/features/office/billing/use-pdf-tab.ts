import { useState } from "react";
import { useOutcome } from "#ui/use-outcome.ts";
import { openNewTab } from "./new-tab.ts";

/** Opens what takes a moment to make in a new tab, and says how that goes. */
export function usePdfTab() {
  const outcome = useOutcome();
  /** Where the file waits when the browser opened no tab. */
  const [blockedPdf, setBlockedPdf] = useState<string | undefined>();
  /**
   * @param make the file's address; undefined when there is none yet
   * @param refuse marks the field that the server refused
   */
  const open = (make: () => Promise<string | undefined>, success: string, refuse?: (error: unknown) => void): Promise<boolean> => {
    const tab = openNewTab("Invoice");
    setBlockedPdf(undefined);
    const work = async () => {
      const address = await make().catch((failure: unknown) => {
        tab.close();
        throw failure;
      });
      if (address === undefined) {
        tab.close();
        return undefined;
      }
      if (!tab.go(address)) setBlockedPdf(address);
      return success;
    };
    return outcome.run(work, { refuse });
  };
  return { open, outcome, blockedPdf, forget: () => setBlockedPdf(undefined) };
}
