import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "#ui/base.css";
import { createClient } from "#api/client.ts";
import { currentSession, followOtherTabs } from "#features/access/session/current-session.ts";
import { chosenOrigin } from "#features/access/session/login-servers.ts";
import { createSessionKeeper } from "#features/access/session/session-keeper.ts";
import { checkUpdates } from "#features/system/shell/updates-store.ts";
import { reachableBases } from "#lib/api-bases.ts";
import { appInfo } from "#lib/app-info.ts";
import { watchBlockedOrigins } from "#lib/blocked-origins.ts";
import { serverClock } from "#lib/server-clock.ts";
import { registerTrustedTypes } from "#lib/trusted-types.ts";
import { App, followSession } from "./app.tsx";

/** Until the first screen is there. */
const fetchAheadMs = 3_000;

registerTrustedTypes();
watchBlockedOrigins();
const { config, isLocalhost } = appInfo;
const bases = await reachableBases(appInfo.bases, location.origin);
const styleNonce = config.styleNonce ?? "";
setNonce(styleNonce);

// The page was requested and made while it was being loaded.
serverClock.note({
  reportedMs: config.serverTimeMs ?? NaN,
  precisionMs: 1,
  requestedAtMs: Date.now() - performance.now(),
  seenAtMs: Date.now(),
});
const call = createClient({
  bases,
  validToken: () => currentSession.validToken(serverClock.nowSeconds()),
  onUnauthorized: (why, token) => currentSession.endedFor(token, why),
  chosenOrigin: () => chosenOrigin(config, isLocalhost),
});
followSession();
followOtherTabs();
createSessionKeeper({ store: currentSession, call, nowSeconds: serverClock.nowSeconds, onCycle: () => void checkUpdates() }).start();

const container = document.getElementById("root");
if (!container) throw new Error("The page has no root element");
createRoot(container).render(
  <StrictMode>
    <App call={call} styleNonce={styleNonce} />
  </StrictMode>,
);

// What says that a dialog is missing, and what leads elsewhere, are here when the connection is not.
setTimeout(
  () => void Promise.allSettled([import("#ui/dialog-failure.tsx"), import("#features/system/shell/command-palette.tsx")]),
  fetchAheadMs,
);
