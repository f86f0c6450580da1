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
import { createSessionKeeper } from "#features/session/session-keeper.ts";
import { sessionStore } from "#features/session/session-store.ts";
import { checkUpdates } from "#features/shell/updates-store.ts";
import { appInfo } from "#lib/app-info.ts";
import { registerTrustedTypes } from "#lib/trusted-types.ts";
import { contrastOverrides, theme } from "#ui/theme.ts";
import { router } from "./router.tsx";

registerTrustedTypes();
const { styleNonce } = appInfo.config;
if (styleNonce) setNonce(styleNonce);

const nowSeconds = () => Date.now() / 1000;
const call = createClient({ bases: appInfo.bases, validToken: () => sessionStore.validToken(nowSeconds()), onUnauthorized: sessionStore.clear });
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
createSessionKeeper({ call, nowSeconds, onCycle: () => void checkUpdates() }).start();

const container = document.getElementById("root");
if (!container) throw new Error("The page has no root element");
createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={contrastOverrides} defaultColorScheme="auto" getStyleNonce={() => styleNonce ?? ""}>
      <QueryClientProvider client={queries}>
        <ApiContext value={call}>
          <RouterProvider router={router} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
