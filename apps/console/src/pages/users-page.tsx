import type { User } from "@busbar/contract/users.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, useCallback, useEffect, useRef, useState } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#api/api-error.ts";
import { useSession } from "#features/session/current-session.ts";
import { openAnalytics } from "#features/users/open-analytics.ts";
import type { UserAction } from "#features/users/user-actions.tsx";
import type { OpenUserDialog } from "#features/users/user-dialogs.tsx";
import { UserList } from "#features/users/user-list-view.tsx";
import { criteriaOf, searchOf } from "#features/users/user-list.ts";
import type { UserCriteria } from "#features/users/user-list.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";

const UserDialogs = lazy(() => import("#features/users/user-dialogs.tsx").then((module) => ({ default: module.UserDialogs })));

const writeAfterMs = 200;

export function UsersPage() {
  const call = useApi();
  const session = useSession();
  const { criteria, changeCriteria } = useUsersAddress();
  const [dialog, setDialog] = useState<OpenUserDialog | undefined>();
  const act = useCallback(
    (user: User, action: UserAction) => {
      if (action !== "analytics") return setDialog({ kind: action, user });
      openAnalytics(call, user).catch((error: unknown) => setDialog({ kind: "analytics-failure", user, message: failureMessage(error) }));
    },
    [call],
  );

  return (
    <PageFrame title="Users">
      <UserList
        criteria={criteria}
        onCriteria={changeCriteria}
        canResetTwoFactor={session?.roles.includes("systemAdministrator") ?? false}
        onAdd={() => setDialog({ kind: "add" })}
        onAction={act}
      />
      <DialogSlot onClose={() => setDialog(undefined)}>
        {dialog && <UserDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}
      </DialogSlot>
    </PageFrame>
  );
}

/** The list's search and order stand in the address, written a moment after the last key. */
function useUsersAddress() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [pending, setPending] = useState<UserCriteria | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = async (next: UserCriteria) => {
    await navigate({ to: "/users", search: searchOf(next), replace: true });
    setPending((current) => (current === next ? undefined : current));
  };
  const changeCriteria = (next: UserCriteria) => {
    setPending(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void write(next), writeAfterMs);
  };
  return { criteria: pending ?? criteriaOf(search), changeCriteria };
}
