import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment, lazy, useEffect, useState } from "react";
import { appInfo } from "#lib/app-info.ts";
import { AccountNotice } from "#features/account/account-notice.tsx";
import { useSession } from "#features/session/current-session.ts";
import { Shell } from "#features/shell/shell.tsx";
import { IconTips } from "#ui/icon-tips.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";

const SecurityDialog = lazy(() => import("#features/account/security-dialog.tsx").then((module) => ({ default: module.SecurityDialog })));

/** The shell around the current screen. */
export function AppFrame() {
  const router = useRouter();
  const queries = useQueryClient();
  const session = useSession();
  const currentPath = useRouterState({ select: (state) => state.location.pathname });
  const [screen, setScreen] = useState(0);
  const [isSecurityOpen, setIsSecurityOpen] = useState(false);
  // What the one person had open is not the next one's.
  if (!session && isSecurityOpen) setIsSecurityOpen(false);

  // NAV-02: an address that is already shown is made anew, with its data asked again, once, by what is new, and its forms empty
  const showAgain = () => {
    queries.removeQueries();
    setScreen((count) => count + 1);
  };
  useSameAddressLinks(showAgain);

  const go = (path: string) => {
    if (location.hash === `#${path}`) showAgain();
    else router.history.push(path);
  };
  return (
    <Shell
      environment={appInfo.environment}
      person={session && { name: session.claims.name || session.claims.username, roles: session.roles }}
      currentPath={currentPath}
      onGo={go}
      onHover={(path) => void router.preloadRoute({ to: path })}
      onOpenSecurity={() => setIsSecurityOpen(true)}
    >
      <Fragment key={screen}>
        <ProgramPart>{session && <AccountNotice onOpenSecurity={() => setIsSecurityOpen(true)} />}</ProgramPart>
        <Outlet />
      </Fragment>
      <IconTips />
      <DialogSlot onClose={() => setIsSecurityOpen(false)}>
        {isSecurityOpen && session && <SecurityDialog onClose={() => setIsSecurityOpen(false)} />}
      </DialogSlot>
    </Shell>
  );
}

/** Calls back when somebody follows a link to the address already shown, where the browser itself does nothing. */
function useSameAddressLinks(onSameAddress: () => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.("a[href^='#/']");
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.getAttribute("href") !== location.hash) return;
      event.preventDefault();
      onSameAddress();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [onSameAddress]);
}
