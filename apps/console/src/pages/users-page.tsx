import type { User } from "@busbar/contract/access/users.ts";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#lib/api-error.ts";
import { useSession } from "#features/access/session/current-session.ts";
import { openAnalytics } from "#features/access/users/open-analytics.ts";
import type { UserAction } from "#features/access/users/user-actions.tsx";
import type { OpenUserDialog } from "#features/access/users/user-dialogs.tsx";
import { UserList } from "#features/access/users/user-list-view.tsx";
import { criteriaOf, searchOf } from "#features/access/users/user-list.ts";
import { useUsers } from "#features/access/users/users.queries.ts";
import { addressOf } from "#lib/number-runs.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAskedTo } from "./use-asked-to.ts";
import { useAddressCriteria } from "./use-address-criteria.ts";

const UserDialogs = lazyPart(() => import("#features/access/users/user-dialogs.tsx"), "UserDialogs");

const UserSubscriptionList = lazyPart(() => import("#features/alarms/subscriptions/user-subscriptions.tsx"), "UserSubscriptionList");

const taken = (search: Record<string, string>) => searchOf(criteriaOf(search));

export function UsersPage() {
  const call = useApi();
  const session = useSession();
  const { criteria, change } = useAddressCriteria({ path: "/users", criteriaOf, searchOf });
  const [opened, setDialog] = useState<OpenUserDialog | undefined>();
  useAskedTo("add", "/users", () => setDialog({ kind: "add" }));
  const linked = useLinkedUser();
  const dialog = opened ?? linked.dialog;
  const close = opened ? () => setDialog(undefined) : linked.onClose;
  const act = useCallback(
    (user: User, action: UserAction) => {
      if (action !== "analytics") return setDialog({ kind: action, user });
      openAnalytics(call, user).catch((error: unknown) => setDialog({ kind: "analytics-failure", user, message: failureMessage(error) }));
    },
    [call],
  );

  return (
    <PageFrame title="Users">
      {linked.problem && <Notice kind="error">{linked.problem}</Notice>}
      <UserList
        criteria={criteria}
        onCriteria={change}
        canResetTwoFactor={session?.roles.includes("systemAdministrator") ?? false}
        onAdd={() => setDialog({ kind: "add" })}
        onAction={act}
        subscriptionsHref={(ids) => `#/bulk/new?users=${addressOf(ids)}`}
        views={
          <ListViews
            list="users"
            path={linked.id === undefined ? "/users" : `/users/${linked.id}`}
            search={searchOf(criteria)}
            taken={taken}
          />
        }
      />
      <DialogSlot onClose={close}>
        {dialog && <UserDialogs key={linked.id} dialog={dialog} renderMore={subscriptionsOf} onClose={close} />}
      </DialogSlot>
    </PageFrame>
  );
}

// Another customer has other facilities.
const subscriptionsOf = ({ id, customerCode }: User) => (
  <ProgramPart>
    <UserSubscriptionList key={`${id} ${customerCode}`} userId={id} />
  </ProgramPart>
);

/** `/users/{id}` opens that user over the list. */
function useLinkedUser() {
  const { userId: id } = useParams({ strict: false }) as { userId?: string };
  const navigate = useNavigate();
  const { data: users } = useUsers();
  const user = id === undefined ? undefined : users?.find((each) => String(each.id) === id);
  return {
    id,
    dialog: user && ({ kind: "edit", user } satisfies OpenUserDialog),
    problem: id !== undefined && users && !user ? `There is no user with the id ${id}. All users are below.` : undefined,
    // Replaced, so that Back leads to where the reader came from.
    onClose: () => void navigate({ to: "/users", search: true, replace: true }),
  };
}
