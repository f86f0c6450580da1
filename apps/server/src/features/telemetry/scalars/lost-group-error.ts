import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";

/** A message came in under a hold that has ended: the broker keeps it for whoever listens to the group now. */
export class LostGroupError extends Error {
  constructor({ name }: GroupHold) {
    super(`This process no longer listens to the group ${name}`);
  }
}
