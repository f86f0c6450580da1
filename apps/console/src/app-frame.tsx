import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { appInfo } from "#lib/app-info.ts";
import { useSession } from "#features/session/session-store.ts";
import { Shell } from "#features/shell/shell.tsx";

/** The shell around the current screen. */
export function AppFrame() {
  const router = useRouter();
  const queries = useQueryClient();
  const session = useSession();
  const currentPath = useRouterState({ select: (state) => state.location.pathname });
  const screen = useScreenKey();

  // LOG-01, SES-04: a session that begins or ends moves the person
  useEffect(() => {
    if (!session) queries.clear();
    void router.invalidate();
  }, [session === undefined, router, queries]); // oxlint-disable-line react/exhaustive-deps -- a refreshed token changes nothing here

  const go = (path: string) => void router.navigate({ to: path });
  const preload = (path: string) => void router.preloadRoute({ to: path });
  return (
    <Shell
      environment={appInfo.environment}
      person={session && { name: session.claims.name || session.claims.username, roles: session.roles }}
      currentPath={currentPath}
      onGo={go}
      onHover={preload}
    >
      <Outlet key={screen} />
    </Shell>
  );
}

/** NAV-02: following a link to the address already shown makes the screen anew. */
function useScreenKey(): number {
  const [key, setKey] = useState(0);
  const queries = useQueryClient();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a[href^='#/']");
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.getAttribute("href") !== location.hash) return;
      event.preventDefault();
      void queries.resetQueries();
      setKey((count) => count + 1);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [queries]);
  return key;
}
