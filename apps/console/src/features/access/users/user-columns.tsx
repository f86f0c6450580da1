import { userFlags, type User } from "@busbar/contract/access/users.ts";
import { chosenColumns, type ColumnChoice } from "#ui/chosen-columns.ts";
import { byText, type Column } from "#ui/column.ts";
import { RowChoice } from "#ui/row-choice.tsx";
import type { RowSelection } from "#ui/use-row-selection.ts";
import { UserActions, type UserAction } from "./user-actions.tsx";
import { CutText, UserMarks } from "./user-cells.tsx";

export interface UserRowActions {
  canResetTwoFactor: boolean;
  onAction: (user: User, action: UserAction) => void;
  selection?: RowSelection;
}

const UserName = ({ user, selection }: { user: User; selection: RowSelection | undefined }) => (
  <>
    {selection && <RowChoice selection={selection} rowKey={String(user.id)} name={user.username} />}
    <span className="user-name">
      <CutText text={user.username} limit={18} />
    </span>{" "}
    <UserMarks user={user} />
  </>
);

/** A user as the list shows one. */
export interface UserRecord {
  user: User;
  customerName: string;
  /** Everything that is searched, in small letters. */
  searchText: string;
}

type UserColumn = Column<UserRecord, UserRowActions>;

// USR-01: console-2 names the columns in small letters; a heading begins with a large one.
const shown: readonly UserColumn[] = [
  {
    label: "Username",
    sort: { key: "username", compare: byText(({ user }) => user.username) },
    search: { Name: ({ user }) => `${user.firstName} ${user.lastName}`, username: ({ user }) => user.username },
    text: ({ user }) => user.username,
    cell: ({ user }, { selection }) => <UserName user={user} selection={selection} />,
    narrow: ({ user }, { selection }) => (
      <div className="cell-line">
        <UserName user={user} selection={selection} />
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
];

const actions: UserColumn = {
  label: "Actions",
  width: 250,
  isActions: true,
  only: "screen",
  text: () => "",
  cell: ({ user }, on) => <UserActions user={user} {...on} />,
  narrow: ({ user }, on) => <UserActions user={user} {...on} />,
  narrowHeight: 36,
};

const more = (label: string, width: number, valueOf: (user: User) => string): UserColumn => ({
  label,
  width,
  sort: { key: label, compare: byText(({ user }) => valueOf(user).toLowerCase()) },
  text: ({ user }) => valueOf(user),
});
const yesNo = (isOn: boolean) => (isOn ? "yes" : "no");

const inFile = (label: string, valueOf: (user: User) => string): UserColumn => ({ label, text: ({ user }) => valueOf(user), only: "file" });

export const usualColumns: readonly UserColumn[] = [...shown, actions];
export const userColumns: readonly UserColumn[] = [
  ...shown,
  more("Name", 180, ({ firstName, lastName }) => `${firstName} ${lastName}`),
  more("Status", 110, ({ activeStatus }) => activeStatus),
  more("Special Privileges", 200, ({ roles }) => roles.join(", ")),
  more("Two-Factor", 110, ({ twoFactorEnrolled }) => yesNo(twoFactorEnrolled)),
  ...userFlags.map(({ name, label }) => more(label, 30 + 7.5 * label.length, (user) => yesNo(user[name]))),
  actions,
  // By these an import knows the user again.
  inFile("Customer code", ({ customerCode }) => customerCode),
  inFile("First name", ({ firstName }) => firstName),
  inFile("Last name", ({ lastName }) => lastName),
];

export const columnsOf = (choice: ColumnChoice): readonly UserColumn[] => chosenColumns(userColumns, choice, usualColumns).chosen;
