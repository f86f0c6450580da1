const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export type LoginEntry = { kind: "username"; username: string } | { kind: "email"; email: string } | { kind: "refused" };

export const refusedEntryText = "This is neither a username nor a complete e-mail address";

/** LOG-06: an e-mail is sent as such, anything else as username; an @ inside what is no e-mail is not sent. */
export function readLoginEntry(text: string): LoginEntry {
  const entry = text.trim();
  if (email.test(entry)) return { kind: "email", email: entry };
  if (entry.indexOf("@") > 0) return { kind: "refused" };
  return { kind: "username", username: entry };
}
