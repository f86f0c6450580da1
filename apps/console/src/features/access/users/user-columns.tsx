import type { User } from "@busbar/contract/access/users.ts";
import { byText } from "#ui/column.ts";
import type { Column } from "#ui/column.ts";
import { UserActions } from "./user-actions.tsx";
import type { UserAction } from "./user-actions.tsx";
import { CutText, UserMarks } from "./user-cells.tsx";
import type { UserRecord } from "./user-list.ts";

export interface UserRowActions {
  canResetTwoFactor: boolean;
  onAction: (user: User, action: UserAction) => void;
}

const UserName = ({ user }: { user: User }) => (
  <>
    <span className="user-name">
      <CutText text={user.username} limit={18} />
    </span>{" "}
    <UserMarks user={user} />
  </>
);

// USR-01: console-2 names the columns in small letters; a heading begins with a large one.
export const userColumns: readonly Column<UserRecord, UserRowActions>[] = [
  {
    label: "Username",
    sort: { key: "username", compare: byText(({ user }) => user.username) },
    search: { Name: ({ user }) => `${user.firstName} ${user.lastName}`, username: ({ user }) => user.username },
    text: ({ user }) => user.username,
    cell: ({ user }) => <UserName user={user} />,
    narrow: ({ user }) => (
      <div className="cell-line">
        <UserName user={user} />
      </div>
    ),
  },
  {
    label: "Email",
    sort: { key: "email", compare: byText(({ user }) => user.email.toLowerCase()) },
    search: { email: ({ user }) => user.email },
    width: 310,
    text: ({ user }) => user.email,
    cell: ({ user }) => <CutText text={user.email} limit={32} />,
    narrow: ({ user }) => (
      <div className="cell-line">
        <CutText text={user.email} limit={32} />
      </div>
    ),
  },
  {
    label: "Customer",
    sort: { key: "customer", compare: byText(({ customerName }) => customerName.toLowerCase()) },
    search: { "customer code": ({ user }) => user.customerCode, "customer name": ({ customerName }) => customerName },
    width: 240,
    text: ({ customerName }) => customerName,
    cell: ({ customerName }) => <CutText text={customerName} limit={22} />,
    narrow: ({ customerName }) => (
      <div className="cell-line dim">
        <CutText text={customerName} limit={22} />
      </div>
    ),
  },
  {
    label: "Actions",
    width: 250,
    isActions: true,
    only: "screen",
    text: () => "",
    cell: ({ user }, on) => <UserActions user={user} {...on} />,
    narrow: ({ user }, on) => <UserActions user={user} {...on} />,
    narrowHeight: 36,
  },
];
