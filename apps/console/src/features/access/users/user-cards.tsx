import { memo } from "react";
import { ItemList } from "#ui/item-list.tsx";
import { UserActions } from "./user-actions.tsx";
import { CutText, UserMarks, userClass } from "./user-cells.tsx";
import type { UserGridProps } from "./user-grid.tsx";
import type { UserRecord } from "./user-list.ts";

export function UserCards({ records, canResetTwoFactor, onAction }: Omit<UserGridProps, "criteria" | "onSort">) {
  return (
    <ItemList
      label="Users"
      items={records}
      keyOf={({ user }) => user.id}
      itemHeight={112}
      classOf={({ user }) => userClass(user)}
      renderItem={(record) => <UserCard record={record} canResetTwoFactor={canResetTwoFactor} onAction={onAction} />}
    />
  );
}

interface UserCardProps extends Pick<UserGridProps, "canResetTwoFactor" | "onAction"> {
  record: UserRecord;
}

const UserCard = memo(function UserCard({ record: { user, customerName }, canResetTwoFactor, onAction }: UserCardProps) {
  return (
    <>
      <div className="cell-line">
        <span className="user-name">
          <CutText text={user.username} limit={18} />
        </span>{" "}
        <UserMarks user={user} />
      </div>
      <div className="cell-line">
        <CutText text={user.email} limit={32} />
      </div>
      <div className="cell-line dim">
        <CutText text={customerName} limit={22} />
      </div>
      <UserActions user={user} canResetTwoFactor={canResetTwoFactor} onAction={onAction} />
    </>
  );
});
