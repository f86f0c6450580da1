import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "#ui/base.css";
import { ApiContext } from "#api/api-context.ts";
import { createClient } from "#api/client.ts";
import { currentSession, followOtherTabs } from "#features/session/current-session.ts";
import { chosenOrigin } from "#features/session/login-servers.ts";
import { createSessionKeeper } from "#features/session/session-keeper.ts";
import { checkUpdates } from "#features/shell/updates-store.ts";
import { appInfo } from "#lib/app-info.ts";
import { watchBlockedOrigins } from "#lib/blocked-origins.ts";
import { registerTrustedTypes } from "#lib/trusted-types.ts";
import { contrastOverrides, theme } from "#ui/theme.ts";
import { router } from "./router.tsx";

registerTrustedTypes();
watchBlockedOrigins();
const { config, bases, isLocalhost } = appInfo;
if (config.styleNonce) setNonce(config.styleNonce);

const nowSeconds = () => Date.now() / 1000;
const call = createClient({
  bases,
  validToken: () => currentSession.validToken(nowSeconds()),
  onUnauthorized: currentSession.clear,
  chosenOrigin: () => chosenOrigin(config, isLocalhost),
});
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });

// LOG-01, SES-04: a session that begins or ends moves the person, and leaves nothing of itself behind
let wasSignedIn = currentSession.get() !== undefined;
currentSession.subscribe(() => {
  const isSignedIn = currentSession.get() !== undefined;
  if (isSignedIn === wasSignedIn) return;
  wasSignedIn = isSignedIn;
  if (!isSignedIn) queries.clear();
  void router.invalidate();
});
followOtherTabs();
createSessionKeeper({ store: currentSession, call, nowSeconds, onCycle: () => void checkUpdates() }).start();

const container = document.getElementById("root");
if (!container) throw new Error("The page has no root element");
createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={contrastOverrides} defaultColorScheme="auto" getStyleNonce={() => config.styleNonce ?? ""}>
      <QueryClientProvider client={queries}>
        <ApiContext value={call}>
          <RouterProvider router={router} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
