import type { PoolClient } from "pg";
import { clearAlarms, insertAlarmEvents, insertRaised, type NodeAlarmChange } from "./alarms.store.ts";

/** Inside the transaction that stores them. */
export type NotifyOfAlarms = (client: PoolClient, raised: readonly NodeAlarmChange[]) => Promise<void>;

/** Stores what was raised and what ended, counts events and notifies of them; what is stored already is not reported again. */
export async function writeAlarmChanges(client: PoolClient, changes: readonly NodeAlarmChange[], notify: NotifyOfAlarms): Promise<void> {
  // In the order they happened: one that was raised and cleared meanwhile must exist before it can end.
  for (const turn of turnsOf(changes)) {
    if (turn[0]?.change === "cleared") {
      await clearAlarms(client, turn);
      continue;
    }
    const added = await insertRaised(client, turn);
    if (added.length === 0) continue;
    await insertAlarmEvents(client, added);
    await notify(client, added);
  }
}

/** The first change of every alarm, then the second, and so on: within a turn none meets itself. */
function turnsOf(changes: readonly NodeAlarmChange[]): NodeAlarmChange[][] {
  const turns: NodeAlarmChange[][] = [];
  const seen = new Map<string, number>();
  for (const change of changes) {
    const key = `${change.serialNumber} ${change.kind}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const index = 2 * nth + (change.change === "cleared" ? 1 : 0);
    (turns[index] ??= []).push(change);
  }
  return turns.filter((turn) => turn !== undefined);
}
