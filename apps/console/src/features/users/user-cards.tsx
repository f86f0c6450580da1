import { memo, useRef } from "react";
import { useRowWindow } from "#ui/row-window.ts";
import { UserActions } from "./user-actions.tsx";
import { CutText, UserMarks, userClass } from "./user-cells.tsx";
import type { UserGridProps } from "./user-grid.tsx";
import type { UserRecord } from "./user-list.ts";

const itemHeight = 112;

/** The same facts on a narrow screen. */
export function UserCards({ records, canResetTwoFactor, onAction }: Omit<UserGridProps, "criteria" | "onSort">) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, totalHeight } = useRowWindow({
    count: records.length,
    rowHeight: itemHeight,
    scroller,
    overscan: 4,
    keyOf: (index) => records[index]?.user.id ?? index,
  });
  return (
    <div className="user-scroller" ref={scroller}>
      <ul className="user-cards" aria-label="Users" style={{ height: totalHeight }}>
        {rows.map(({ index, start }) => {
          const record = records[index];
          return (
            record && (
              <li
                key={record.user.id}
                className={`user-card${userClass(record.user)}`}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={records.length}
                aria-posinset={index + 1}
              >
                <UserCard record={record} canResetTwoFactor={canResetTwoFactor} onAction={onAction} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

interface UserCardProps extends Pick<UserGridProps, "canResetTwoFactor" | "onAction"> {
  record: UserRecord;
}

const UserCard = memo(function UserCard({ record: { user, customerName }, canResetTwoFactor, onAction }: UserCardProps) {
  return (
    <>
      <div className="user-card-line">
        <span className="user-name">
          <CutText text={user.username} limit={18} />
        </span>{" "}
        <UserMarks user={user} />
      </div>
      <div className="user-card-line">
        <CutText text={user.email} limit={32} />
      </div>
      <div className="user-card-line dim">
        <CutText text={customerName} limit={22} />
      </div>
      <UserActions user={user} canResetTwoFactor={canResetTwoFactor} onAction={onAction} />
    </>
  );
});
