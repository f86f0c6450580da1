import { hash, verify } from "@node-rs/argon2";

// argon2id, OWASP's second profile: 19 MiB, 2 passes. The library hashes in its own threads.
const usualCost = { memoryCost: 19_456, timeCost: 2 };
let cost = usualCost;
const maxAtOnce = 4;
const maxWaiting = 200;

let running = 0;
const waiting: (() => void)[] = [];

/** Thrown when more sign-ins wait than can be served soon; a flood of them must not exhaust the machine. */
export class TooBusyError extends Error {}

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw new TooBusyError("Too many sign-ins at the moment");
    await new Promise<void>((go) => waiting.push(go));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Hashes with the least that the algorithm allows, for tests of anything else. */
export function hashCheaply(): void {
  cost = { memoryCost: 8, timeCost: 1 };
}

/** PHC string (`$argon2id$…`) of a password. */
export const hashPassword = (password: string): Promise<string> => bounded(() => hash(password, { ...cost, parallelism: 1 }));

let decoy: Promise<string> | undefined;

/** Whether the password is right. Without a stored hash it costs the same time and is false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword("no account has this hash");
  const against = stored ?? (await decoy);
  const isRight = await bounded(() => verify(against, password));
  return isRight && stored !== null && stored !== undefined;
}
