import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { Fragment, lazy, useState } from "react";
import { appInfo } from "#lib/app-info.ts";
import { useForgetAnswers } from "#api/api-provider.tsx";
import { AccountNotice } from "#features/access/account/account-notice.tsx";
import { useSession } from "#features/access/session/current-session.ts";
import { Shell } from "#features/system/shell/shell.tsx";
import { IconTips } from "#ui/icon-tips.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { LeavingScope, useLeaveQuestion } from "#ui/unsaved-edits.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

const SecurityDialog = lazy(() =>
  import("#features/access/account/security-dialog.tsx").then((module) => ({ default: module.SecurityDialog })),
);

/** The shell around the current screen. */
export function AppFrame() {
  const router = useRouter();
  const forgetAnswers = useForgetAnswers();
  const session = useSession();
  const currentPath = useRouterState({ select: (state) => state.location.pathname });
  const [screen, setScreen] = useState(0);
  const [isSecurityOpen, setIsSecurityOpen] = useState(false);
  // What the one person had open is not the next one's.
  if (!session && isSecurityOpen) setIsSecurityOpen(false);

  // NAV-02: an address that is already shown is rebuilt, with its data asked again, once, by what is new, and its forms empty
  const showAgain = () => {
    forgetAnswers();
    // In the same moment: a tick of the clock in between would make the old screen request what was removed.
    flushSync(() => setScreen((count) => count + 1));
  };
  const { leaving, question } = useLeaveQuestion();
  const { go } = useLeaveGuard({ router, mayLeave: leaving.mayLeave, onSameAddress: showAgain });
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
        <Fragment key={screen}>
          <ProgramPart>{session && <AccountNotice onOpenSecurity={() => setIsSecurityOpen(true)} />}</ProgramPart>
          <Outlet />
        </Fragment>
        <IconTips />
        <DialogSlot onClose={() => setIsSecurityOpen(false)}>
          {isSecurityOpen && session && <SecurityDialog onClose={() => setIsSecurityOpen(false)} />}
        </DialogSlot>
      </Shell>
      {question}
    </LeavingScope>
  );
}
