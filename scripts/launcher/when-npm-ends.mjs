const everyMs = 250;

// Noted at once: npm may be gone before what has to be prepared is.
const parent = process.ppid;

/**
 * Who ends npm the hard way ends what it started too.
 * @param {() => void} act
 * @returns {() => void} forgets it
 */
export function whenNpmEnds(act) {
  if (!process.env["npm_lifecycle_script"]?.includes("scripts/run.mjs")) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
