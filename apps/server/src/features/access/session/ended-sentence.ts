import type { SessionRow } from "./session.store.ts";

const again = "Please sign in again";

/** What the screen of an ended session says: why it ended. */
export function endedSentence(session: Pick<SessionRow, "endReason" | "isUserActive"> | undefined, mostSignIns: number): string {
  if (session && !session.isUserActive) return "Your account is suspended. Please ask a system administrator";
  switch (session?.endReason) {
    case "suspended":
      return `Your account was suspended meanwhile. ${again}`;
    case "password changed":
      return `Your password was changed. ${again}`;
    case "second factor changed":
    case "second factor reset":
      return `Your two-factor authentication was changed. ${again}`;
    case "ended by its owner":
      return `You ended this session elsewhere. ${again}`;
    case "roles changed":
      return `Your special privileges were changed. ${again}`;
    case "too many":
      return `You are signed in at more than ${mostSignIns} places, so the oldest of them was signed out: this one. ${again}`;
    case "reused":
      return `An old token of this session was used again, perhaps by someone else, so it was ended. ${again}`;
    default:
      return `Your session has ended. ${again}`;
  }
}
