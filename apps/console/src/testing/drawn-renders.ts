import React from "react";
import { flushSync } from "react-dom";

interface Scheduler {
  postTask: (act: () => void, options: { priority: "background" }) => Promise<void>;
}
const { scheduler } = window as unknown as { scheduler: Scheduler };

/** Resolves when what is being drawn is there: what is drawn in small parts shows nothing before its end. */
export const whenDrawn = (): Promise<void> => scheduler.postTask(() => undefined, { priority: "background" });

/** In the place of React's own, which only its development build has: what is changed within it is shown when it ends. */
async function act(change: () => unknown): Promise<void> {
  await flushSync(change);
  await whenDrawn();
}

// Before any other module that looks for it.
if (!("act" in React)) Object.assign(React, { act });
