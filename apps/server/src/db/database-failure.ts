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

/** A scalar of a day whose partition is not there (any more). */
export function lacksPartition(error: unknown): boolean {
  return sqlStateOf(error) === "23514" && (error as Error).message.includes("no partition");
}
