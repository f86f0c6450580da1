// Classes of SQLSTATE that blame the data: cardinality, data exception, integrity, program limit.
const dataClasses = new Set(["21", "22", "23", "54"]);

function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the database refused the data itself; anything else (away, full, deadlock, wrong schema) may succeed later. */
export function blamesData(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && dataClasses.has(state.slice(0, 2)) && !lacksPartition(error);
}

/** A row of this key is there already. */
export const isDuplicate = (error: unknown): boolean => sqlStateOf(error) === "23505";

/** Whether our own program fails on what it was given, whenever it is tried. */
export const isOwnError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError || error instanceof ReferenceError;

/** It would have waited for a row, or another lock, longer than it may. */
export const isLockTimeout = (error: unknown): boolean => sqlStateOf(error) === "55P03";

/** A scalar of a day whose partition is not there (any more). */
export function lacksPartition(error: unknown): boolean {
  return sqlStateOf(error) === "23514" && (error as Error).message.includes("no partition");
}

// Raised by a rule of our own, and nowhere else.
const raisedClass = "P0";
const fileCodes = new Set(["ENOENT", "EISDIR", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG", "ENOTEMPTY", "EEXIST"]);
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool|Query read timeout)/;

/** Whether the disk did not give or take the bytes of one item: the next one's may be whole. */
export function isDiskFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && (code === "EIO" || code.startsWith("Unknown system error"));
}

/** Whether one of many items is at fault, and not what all of them need: the database, the disk, the network. */
export function blamesItem(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined && /^[0-9]|^P0/.test(state)) return blamesData(error) || state.startsWith(raisedClass);
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === "string" && /^E[A-Z]+$/.test(code)) return fileCodes.has(code);
  if (isDiskFailure(error)) return false;
  return !(error instanceof Error && lostConnection.test(error.message));
}
