import { totpCode, totpPeriodSeconds } from "@busbar/server/lib/totp.ts";
import { world } from "./fixtures.ts";
import type { Person } from "./fixtures.ts";

const lastSteps = new Map<Person, number>();

/** A 2FA code that this person has not used: that of the next time step is right too, and each counts once. */
export async function freshPasscode(person: Person): Promise<string> {
  const secret = world().totpSecrets[person] ?? "";
  for (;;) {
    const now = Math.floor(Date.now() / 1000 / totpPeriodSeconds);
    const step = Math.max(now, (lastSteps.get(person) ?? 0) + 1);
    if (step <= now + 1) {
      lastSteps.set(person, step);
      return totpCode(secret, step * totpPeriodSeconds * 1000);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
