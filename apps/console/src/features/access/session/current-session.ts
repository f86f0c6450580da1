import { useSyncExternalStore } from "react";
import { pageCookies } from "#lib/cookies.ts";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { createSessionStore, type Session } from "./session-store.ts";

const tabs = new BroadcastChannel("busbar-session");

/** This page's session. */
export const currentSession = createSessionStore(
  pageCookies,
  (whyOver) => {
    tabs.postMessage({ whyOver }); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel has none
  },
  unsavedEdits.exist,
);

/** A sign-out or a refresh in one tab is one in all of them, at once. */
export function followOtherTabs(): void {
  tabs.addEventListener("message", ({ data }: MessageEvent<{ whyOver: string | undefined }>) => currentSession.followCookies(data.whyOver));
}

/** Whose screen is shown. */
export const shownSession = (): Session | undefined => currentSession.get() ?? currentSession.held();

export function useSession(): Session | undefined {
  return useSyncExternalStore(currentSession.subscribe, shownSession);
}

export function useHeldSession(): Session | undefined {
  return useSyncExternalStore(currentSession.subscribe, currentSession.held);
}
