import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import { passwordAlphabet } from "@busbar/contract/access/user-rules.ts";
import { isCommonPassword } from "./common-passwords.ts";

const shortestPassword = 8;
const shortestAdministratorPassword = 12;
const longestPassword = 128;
// Words that everyone here would try first.
const ownWords = ["busbar", "electric", "sensor", "node", "motor"];
const shortestOwnPart = 4;

export interface PasswordOwner {
  isAdministrator: boolean;
  /** What others know of the person: username, names, e-mail, customer. */
  context: readonly string[];
}

/** What is wrong with a password, as a sentence; undefined when nothing is. */
export function passwordProblem(password: string, { isAdministrator, context }: PasswordOwner): string | undefined {
  const shortest = isAdministrator ? shortestAdministratorPassword : shortestPassword;
  if (password.length < shortest)
    return isAdministrator
      ? `An administrator's password has at least ${shortest} characters.`
      : `A password has at least ${shortest} characters.`;
  if (password.length > longestPassword) return `A password has at most ${longestPassword} characters.`;
  if (!/^[A-Za-z0-9#.!&%+\-_]+$/.test(password)) return `A password is made of ${passwordAlphabet}.`;
  if (isCommonPassword(password)) return "This password is too easy to guess: it is one of the most common.";
  if (isMadeOf(password, context)) return "This password is too easy to guess: it is made of what others know of the account.";
  return undefined;
}

/** Whether little is left of the password without our own words, what is known of its owner, digits and signs. */
function isMadeOf(password: string, context: readonly string[]): boolean {
  const known = [...ownWords, ...context.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/))].filter((word) => word.length >= 3);
  const whole = password.toLowerCase();
  let rest = whole;
  for (const word of known.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(word, "");
  return rest !== whole && rest.replaceAll(/[^a-z]/g, "").length < shortestOwnPart;
}

/** What is wrong with a username, as a sentence. */
export function usernameProblem(username: string): string | undefined {
  return /^[a-z][a-z0-9@._]{1,63}$/.test(username)
    ? undefined
    : "A username begins with a lowercase letter, then has lowercase letters, digits, @ . _ and at least 2 characters.";
}

/** Roles of a list such as `systemAdministrator,accountsAdministrator`; throws a sentence for an unknown one. */
export function readStaffRoles(text: string): string[] {
  const roles = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const unknown = roles.find((role) => !(staffRoles as readonly string[]).includes(role));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no role. There are: ${staffRoles.join(", ")}.`);
  return roles;
}
