import { createHash, pbkdf2Sync } from "node:crypto";

const iterations = 101;

/**
 * A password as a line of Mosquitto's password file has it: `$7$`, PBKDF2 with SHA-512, as `mosquitto_passwd` makes it. The salt follows from
 * name and password, so that the line of an unchanged password does not change.
 */
export function mosquittoHash(username: string, password: string): string {
  const salt = createHash("sha256").update(`mosquitto ${username} `).update(password).digest().subarray(0, 12);
  const key = pbkdf2Sync(password, salt, iterations, 64, "sha512");
  return `$7$${iterations}$${salt.toString("base64")}$${key.toString("base64")}`;
}
