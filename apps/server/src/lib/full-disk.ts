const databaseFullCode = "53100";

/** What a start that failed for want of room says; undefined when it failed for another reason. */
export function fullDisk(error: unknown, dataDir: string): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === databaseFullCode) return `The disk of the database is full: make room there and start again. (${message})`;
  if (code === "ENOSPC" || code === "EDQUOT" || /no space left on device|disk quota exceeded/i.test(message))
    return `The disk of DATA_DIR ${dataDir} is full: make room there and start again.`;
  return undefined;
}
