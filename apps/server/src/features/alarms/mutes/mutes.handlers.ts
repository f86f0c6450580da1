import type { Handlers } from "#http/endpoints.ts";
import type { Mutes } from "./mutes.service.ts";

export function mutesHandlers(mutes: Mutes) {
  return {
    getMutes: () => mutes.list(),
    getPauses: () => mutes.pauses(),
    createMute: ({ body }, { caller }) => mutes.create(caller, body),
    endMute: ({ params }, { caller }) => mutes.end(caller, params.id),
  } satisfies Partial<Handlers>;
}
