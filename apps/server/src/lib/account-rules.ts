import { staffRoles } from "@busbar/contract/option-lists.ts";

const commonPasswords = new Set(["password1234", "passwordpassword", "administrator", "123456789012", "qwertyuiop12", "busbarbusbar"]);
const shortestAdministratorPassword = 12;

/** What is wrong with an administrator's password, as a sentence; undefined when nothing is. */
export function passwordProblem(password: string, username: string): string | undefined {
  if (password.length < shortestAdministratorPassword)
    return `An administrator's password has at least ${shortestAdministratorPassword} characters.`;
  if (password.length > 256) return "A password has at most 256 characters.";
  if (!/^[A-Za-z0-9#.!&%+\-_]+$/.test(password)) return "A password is made of letters, digits and # . ! & % + - _";
  if (commonPasswords.has(password.toLowerCase()) || password.toLowerCase().includes(username))
    return "This password is too easy to guess.";
  return undefined;
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
