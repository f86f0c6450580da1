import type { User } from "@busbar/contract/access/users.ts";
import { IconShieldCheck } from "@tabler/icons-react";
import { LabelledIcon } from "#ui/labelled-icon.tsx";
import "#ui/status-badge.css";

/** At most `limit` characters, the cut marked. */
export const truncate = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** USR-01: cut beyond `limit`, the whole in a tooltip. */
export function CutText({ text, limit }: { text: string; limit: number }) {
  return text.length > limit ? <span title={text}>{truncate(text, limit)}</span> : <>{text}</>;
}

/** USR-02 in words: what makes a user different. */
export function UserMarks({ user }: { user: User }) {
  return (
    <span className="user-marks">
      {user.activeStatus === "SUSPENDED" && <span className="status-badge status-bad">SUSPENDED</span>}
      {!user.hasPassword && (
        <span className="status-badge status-warn" title="Cannot sign in before an administrator sets a password">
          No password
        </span>
      )}
      {user.internalUser && <span className="status-badge status-info">Internal</span>}
      {user.demoUser && <span className="status-badge status-plain">Demo</span>}
      {user.roles.length > 0 && (
        <span className="status-badge status-plain" title={user.roles.join(", ")}>
          Special Privileges
        </span>
      )}
      {user.twoFactorEnrolled && <LabelledIcon icon={IconShieldCheck} label="Has two-factor authentication" className="good" />}
    </span>
  );
}

/** USR-02: inactive and internal users look different. */
export function userClass({ activeStatus, internalUser }: User): string {
  return `${activeStatus === "SUSPENDED" ? " is-inactive" : ""}${internalUser ? " is-internal" : ""}`;
}
