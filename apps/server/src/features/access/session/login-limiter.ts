import { createHash } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import { tooManyRequests } from "#lib/errors.ts";
import { networkOf } from "#lib/network-of.ts";
import type { Allowance, SignInTriesStore } from "./sign-in-tries.store.ts";
import { createTriesAtOnce } from "./tries-at-once.ts";

/** Who tries to sign in, and as whom. */
export interface Guess {
  /** Undefined: what was typed is no one's name. */
  userId: number | undefined;
  entry: string;
  remoteAddress: string;
  /** Of a browser in which this person has signed in before. */
  deviceId?: string | undefined;
}

const own = { burst: 5, burstSeconds: 60, total: 50 };
const stranger = { burst: 5, burstSeconds: 60, total: 20 };
const allStrangers = { burst: 10, burstSeconds: 60, total: 50 };
const address = { burst: 60, burstSeconds: 60, total: 1_000 };

/**
 * SEC-04, decision 0021: how often a password, and the code after it, may be tried. Wrong tries slow down who guesses, never the owner: a
 * device that the person has signed in with before has an allowance of its own, which no one else can use up.
 */
export function createLoginLimiter(store: SignInTriesStore, clock: Clock) {
  const during = createTriesAtOnce(
    (allowances) => store.count(allowances, clock.now() / 1000),
    (waitSeconds) => {
      const wait = Math.ceil(waitSeconds);
      return tooManyRequests(`Too many wrong tries. Please try again in ${inWords(wait)}`, wait);
    },
  );

  return {
    /**
     * Counts the try as wrong before its work looks at the password, so that parallel tries cannot slip through.
     * @throws AppError 429 when there were too many
     */
    during: <T>(guess: Guess, work: () => Promise<T>) => during(allowancesOf(guess), work),
    /** The try was right, or could not be looked at. */
    giveBack: (guess: Guess) => store.giveBack(allowancesOf(guess)),
    /** The same for someone signed in, who is asked for the password once more. `signIn` names the sign-in. */
    duringOwner: <T>(signIn: string, work: () => Promise<T>) => during([{ ...own, name: ownerOf(signIn) }], work),
    giveBackOwner: (signIn: string) => store.giveBack([{ ...own, name: ownerOf(signIn) }]),
  };
}

const ownerOf = (signIn: string): string => `owner/${signIn}`;

function allowancesOf({ userId, entry, remoteAddress, deviceId }: Guess): [Allowance, ...Allowance[]] {
  if (deviceId !== undefined) return [{ ...own, name: `device/${deviceId}` }];
  const account = userId === undefined ? `entry/${createHash("sha256").update(entry).digest("hex")}` : accountName(userId);
  const place = networkOf(remoteAddress);
  return [
    { ...stranger, name: `${account}/from/${place}` },
    { ...allStrangers, name: account },
    { ...address, name: `address/${place}` },
  ];
}

/** What is counted of everyone who is new to an account begins with this. */
export const accountName = (userId: number): string => `account/${userId}`;

function inWords(seconds: number): string {
  if (seconds < 100) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
