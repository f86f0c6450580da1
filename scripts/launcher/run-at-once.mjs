/**
 * Runs the items in their order, as many at the same time as there is room for. After one that fails none is started; those that run are waited for.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} room
 * @param {(item: Item) => Promise<number>} run gives an exit code
 * @param {(item: Item) => number} [sizeOf] of the room; 1 without it
 * @returns {Promise<number>} that of the first that failed, else 0
 */
export async function runAtOnce(items, room, run, sizeOf = () => 1) {
  /** Each with its size. @type {Map<Promise<void>, number>} */
  const running = new Map();
  const taken = () => [...running.values()].reduce((sum, size) => sum + size, 0);
  let exitCode = 0;
  for (const item of items) {
    const size = sizeOf(item);
    while (taken() + size > room) await Promise.race(running.keys());
    if (exitCode !== 0) break;
    const one = run(item).then((code) => {
      exitCode ||= code;
      running.delete(one);
    });
    running.set(one, size);
  }
  await Promise.all(running.keys());
  return exitCode;
}
