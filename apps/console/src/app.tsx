import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ApiContext } from "#api/api-context.ts";
import { isWorthRetrying } from "#api/api-error.ts";
import type { Client } from "#api/client.ts";
import { currentSession } from "#features/session/current-session.ts";
import { contrastOverrides, theme } from "#ui/theme.ts";
import { router } from "./router.tsx";

const queries = new QueryClient({ defaultOptions: { queries: { retry: isWorthRetrying, refetchOnWindowFocus: true } } });

export interface AppProps {
  call: Client;
  /** Of the style tags that the page's security policy lets in. */
  styleNonce: string;
}

export function App({ call, styleNonce }: AppProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={contrastOverrides} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queries}>
        <ApiContext value={call}>
          <RouterProvider router={router} />
        </ApiContext>
      </QueryClientProvider>
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
    if (!isSignedIn) queries.clear();
    void router.invalidate();
  });
}
