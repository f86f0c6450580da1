import { MantineProvider } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { reportConsoleError } from "@busbar/contract/system/system-messages.ts";
import type { NewConsoleError } from "@busbar/contract/system/system-messages.ts";
import { useCallback } from "react";
import { ApiProvider, forgetSession } from "#api/api-provider.tsx";
import type { Client } from "#api/client.ts";
import { currentSession } from "#features/access/session/current-session.ts";
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

/** LOG-01, SES-04: a session that begins or ends moves the person, and leaves nothing of itself behind. */
export function followSession(): () => void {
  let wasSignedIn = currentSession.get() !== undefined;
  return currentSession.subscribe(() => {
    const isSignedIn = currentSession.get() !== undefined;
    if (isSignedIn === wasSignedIn) return;
    wasSignedIn = isSignedIn;
    if (!isSignedIn) forgetSession();
    void router.invalidate();
  });
}
