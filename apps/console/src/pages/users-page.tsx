import type { User } from "@busbar/contract/users.ts";
import { lazy, useCallback, useState } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#api/api-error.ts";
import { useSession } from "#features/session/current-session.ts";
import { openAnalytics } from "#features/users/open-analytics.ts";
import type { UserAction } from "#features/users/user-actions.tsx";
import type { OpenUserDialog } from "#features/users/user-dialogs.tsx";
import { UserList } from "#features/users/user-list-view.tsx";
import { criteriaOf, searchOf } from "#features/users/user-list.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressCriteria } from "./use-address-criteria.ts";

const UserDialogs = lazy(() => import("#features/users/user-dialogs.tsx").then((module) => ({ default: module.UserDialogs })));

export function UsersPage() {
  const call = useApi();
  const session = useSession();
  const { criteria, change } = useAddressCriteria({ path: "/users", criteriaOf, searchOf });
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
        onCriteria={change}
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
