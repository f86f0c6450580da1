/**
 * Runs the items in their order, at most `atOnce` at the same time. After one that fails none is started; those that run are waited for.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<number>} run gives an exit code
 * @returns {Promise<number>} that of the first that failed, else 0
 */
export async function runAtOnce(items, atOnce, run) {
  const waiting = [...items];
  let exitCode = 0;
  const work = async () => {
    while (exitCode === 0) {
      const item = waiting.shift();
      if (item === undefined) return;
      exitCode = (await run(item)) || exitCode;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return exitCode;
}
