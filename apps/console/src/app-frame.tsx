import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { Fragment, useEffect, useState } from "react";
import { appInfo } from "#lib/app-info.ts";
import { useForgetAnswers } from "#api/api-provider.tsx";
import { AccountNotice } from "#features/access/account/account-notice.tsx";
import { currentSession, useHeldSession, useSession } from "#features/access/session/current-session.ts";
import { Shell } from "#features/system/shell/shell.tsx";
import { ticksKey } from "#lib/ticks-key.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { IconTips } from "#ui/icon-tips.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { LeavingScope, useLeaveQuestion } from "#ui/unsaved-edits.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

const SecurityDialog = lazyPart(() => import("#features/access/account/security-dialog.tsx"), "SecurityDialog");

const TicksElsewhere = lazyPart(() => import("#features/directory/node-tasks/ticks-elsewhere.tsx"), "TicksElsewhere");

const SignInAgain = lazyPart(() => import("#features/access/session/sign-in-again.tsx"), "SignInAgain");

/** The shell around the current screen. */
export function AppFrame() {
  const router = useRouter();
  const forgetAnswers = useForgetAnswers();
  const session = useSession();
  const held = useHeldSession();
  const currentPath = useRouterState({ select: (state) => state.location.pathname });
  const [screen, setScreen] = useState(0);
  const [isSecurityOpen, setIsSecurityOpen] = useState(false);
  // What the one person had open is not the next one's.
  if (!session && isSecurityOpen) setIsSecurityOpen(false);
  // It lies over the screen where it was opened.
  const [path, setPath] = useState(currentPath);
  if (path !== currentPath) {
    setPath(currentPath);
    setIsSecurityOpen(false);
  }

  const username = session?.claims.username ?? "";
  // Nor is what they typed.
  const [person, setPerson] = useState(username);
  if (username !== "" && username !== person) setPerson(username);

  // NAV-02: an address that is already shown is rebuilt, with its data asked again, once, by what is new, and its forms empty
  const showAgain = () => {
    forgetAnswers();
    // In the same moment: a tick of the clock in between would make the old screen request what was removed.
    flushSync(() => setScreen((count) => count + 1));
  };
  // A typed address: what was held is gone with its screen.
  useEffect(() => {
    if (currentPath === "/") currentSession.letGo();
  }, [currentPath]);
  const { leaving, question } = useLeaveQuestion();
  const { go } = useLeaveGuard({ router, mayLeave: leaving.mayLeave, onSameAddress: showAgain });
  const isTickWaiting = !currentPath.startsWith("/deployments/") && username !== "" && localStorage.getItem(ticksKey(username)) !== null;
  return (
    <LeavingScope leaving={leaving}>
      <Shell
        environment={appInfo.environment}
        person={session && { name: session.claims.name || session.claims.username, roles: session.roles }}
        currentPath={currentPath}
        onGo={go}
        onHover={(path) => void router.preloadRoute({ to: path })}
        onOpenSecurity={() => setIsSecurityOpen(true)}
      >
        <Fragment key={`${person} ${screen}`}>
          <ProgramPart>{session && <AccountNotice onOpenSecurity={() => setIsSecurityOpen(true)} />}</ProgramPart>
          {isTickWaiting && (
            <ProgramPart>
              <TicksElsewhere username={username} />
            </ProgramPart>
          )}
          <Outlet />
        </Fragment>
        <IconTips />
        <DialogSlot onClose={() => setIsSecurityOpen(false)}>
          {isSecurityOpen && session && <SecurityDialog onClose={() => setIsSecurityOpen(false)} />}
        </DialogSlot>
      </Shell>
      {question}
      <ProgramPart>{held && <SignInAgain config={appInfo.config} isLocalhost={appInfo.isLocalhost} username={username} />}</ProgramPart>
    </LeavingScope>
  );
}
