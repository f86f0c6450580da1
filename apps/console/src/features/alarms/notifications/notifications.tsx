import { getNotifications, notificationsPerPage, type Notification } from "@busbar/contract/system/feeds.ts";
import { useRef, type RefObject } from "react";
import { useApiQuery } from "#api/use-api-query.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { Pager } from "#ui/pager.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import "./notifications.css";

export interface NotificationsProps {
  from: number;
  /** The newest notification when the reader began to page; empty for now. */
  upTo: string;
  onFrom: (from: number, upTo: string) => void;
  /** Number of the notification that is shown whole; the first of the page when it is not on it. */
  selected: string;
  onSelect: (id: string) => void;
}

/** FEE-01, FEE-03 */
export function Notifications({ from, upTo, onFrom, selected, onSelect }: NotificationsProps) {
  const query = { from: String(from), count: String(notificationsPerPage), ...(upTo === "" ? {} : { upTo }) };
  const asked = useApiQuery(getNotifications, { query }, { isPreviousKept: true });
  const { data, isPlaceholderData } = asked;
  const detail = useRef<HTMLElement>(null);
  const select = (id: string) => {
    onSelect(id);
    // On a narrow screen the message is below the list.
    detail.current?.scrollIntoView({ block: "nearest" });
  };
  const shown = data?.notifications.find(({ id }) => String(id) === selected) ?? data?.notifications[0];
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Notifications</h1>
        {data && <Pager page={{ ...data, from }} onFrom={(next) => onFrom(next, String(data.newest))} />}
      </div>
      <Loaded of={asked} loading={<LoadingRows label="Loading the notifications" height={78} />} />
      {data?.total === 0 && <EmptyState title="No notification was sent yet" />}
      {data && data.total > 0 && data.notifications.length === 0 && <EmptyState title="There is nothing this far back" />}
      {data && shown && (
        <div className="notification-panes">
          <ul className="bare-list notification-list" aria-label="Notifications" aria-busy={isPlaceholderData}>
            {data.notifications.map((notification) => (
              <li key={notification.id}>
                <ListEntry
                  notification={notification}
                  isShown={notification.id === shown.id}
                  onSelect={() => select(String(notification.id))}
                />
              </li>
            ))}
          </ul>
          <Detail notification={shown} place={detail} />
        </div>
      )}
    </>
  );
}

/** FEE-01, letter for letter for what was refused. */
function unsentText({ sentSuccess, sentFailedReason }: Notification): string | undefined {
  if (sentSuccess) return undefined;
  return sentFailedReason === null ? "Waiting to be sent" : `Notification not sent (${sentFailedReason})`;
}

/** Some of its recipients were refused. */
function remarkText({ sentSuccess, sentFailedReason }: Notification): string | undefined {
  return sentSuccess && sentFailedReason !== null ? `Not sent to everyone (${sentFailedReason})` : undefined;
}

function ListEntry({ notification, isShown, onSelect }: { notification: Notification; isShown: boolean; onSelect: () => void }) {
  const unsent = unsentText(notification);
  return (
    <button type="button" className="plain-button notification-entry" aria-current={isShown} onClick={onSelect}>
      <b>{notification.subject}</b>
      <span className="dim tabular">
        <DateTime timestamp={Math.floor(notification.timestamp)} timezone={null} /> (<TimeAgo timestamp={notification.timestamp} />)
      </span>
      {unsent && <span className={notification.sentFailedReason === null ? "dim" : "bad"}>{unsent}</span>}
    </button>
  );
}

function Detail({ notification, place }: { notification: Notification; place: RefObject<HTMLElement | null> }) {
  const unsent = unsentText(notification);
  const remark = remarkText(notification);
  const lines = [
    ["To", notification.recipientsTo],
    ["Cc", notification.recipientsCc],
    ["Bcc", notification.recipientsBcc],
  ] as const;
  return (
    <section ref={place} className="notification-detail" aria-label="Notification">
      <h2 className="section-title">{notification.subject}</h2>
      {remark && <Notice kind="warning">{remark}</Notice>}
      {unsent && <Notice kind={notification.sentFailedReason === null ? "working" : "warning"}>{unsent}</Notice>}
      <dl>
        {lines.map(([name, addresses]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{addresses.join(", ") || "–"}</dd>
          </div>
        ))}
        <div>
          <dt>{notification.sentSuccess ? "Sent" : "Written"}</dt>
          <dd className="tabular">
            <DateTime timestamp={Math.floor(notification.timestamp)} timezone={null} />
          </dd>
        </div>
      </dl>
      <pre className="notification-body">{notification.body}</pre>
    </section>
  );
}
