import { MantineProvider } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { reportConsoleError, type NewConsoleError } from "@busbar/contract/system/system-messages.ts";
import { useCallback } from "react";
import { ApiProvider, askAgain, forgetSession } from "#api/api-provider.tsx";
import type { Client } from "#api/client.ts";
import { currentSession, shownSession } from "#features/access/session/current-session.ts";
import { SendReportContext } from "#ui/error-frame.tsx";
import { contrastOverrides, theme } from "#ui/theme.ts";
import { router } from "./router.tsx";

export interface AppProps {
  call: Client;
  /** Of the style tags that the page's security policy lets in. */
  styleNonce: string;
}

export function App({ call, styleNonce }: AppProps) {
  const sendReport = useCallback(
    async (body: NewConsoleError) => {
      // Asking without a session would end one that is not there, and say so.
      if (!currentSession.get()) throw new Error("Only who is signed in reports");
      await call(reportConsoleError, { body });
    },
    [call],
  );
  return (
    <MantineProvider theme={theme} cssVariablesResolver={contrastOverrides} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <ApiProvider call={call}>
        <SendReportContext value={sendReport}>
          <RouterProvider router={router} />
        </SendReportContext>
      </ApiProvider>
    </MantineProvider>
  );
}

/**
 * LOG-01, SES-04: a session that begins or ends moves the person, and leaves nothing of itself behind. Decision 0052: who signs in again after a session
 * that ended by itself goes on from there; for anyone else there is nothing to see of it.
 */
export function followSession(): () => void {
  let shown = shownSession();
  let wasHeld = false;
  let left: { username: string; address: string } | undefined;
  return currentSession.subscribe(() => {
    const now = shownSession();
    const isHeld = currentSession.held() !== undefined;
    const isSame = now?.claims.username === shown?.claims.username;
    if (isSame && wasHeld && !isHeld && now) askAgain();
    if (isSame) {
      wasHeld = isHeld;
      return;
    }
    const isOther = shown !== undefined && now !== undefined;
    if (shown) forgetSession();
    // An end of its own, and not a sign-out.
    if (shown && !now)
      left = currentSession.whyOver() === undefined ? undefined : { username: shown.claims.username, address: router.state.location.href };
    const back = now && left?.username === now.claims.username ? left.address : undefined;
    if (now) left = undefined;
    [shown, wasHeld] = [now, isHeld];
    void router.invalidate().then(() => {
      if (currentSession.get() !== now) return undefined;
      if (back !== undefined) return router.history.push(back);
      return isOther ? router.navigate({ to: "/home", replace: true }) : undefined;
    });
  });
}
