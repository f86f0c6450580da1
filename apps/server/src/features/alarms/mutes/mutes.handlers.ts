import type { Handlers } from "#http/endpoints.ts";
import type { Mutes } from "./mutes.service.ts";

export function mutesHandlers(mutes: Mutes): Pick<Handlers, "getMutes" | "getPauses" | "createMute" | "endMute"> {
  return {
    getMutes: () => mutes.list(),
    getPauses: () => mutes.pauses(),
    createMute: ({ body }, { caller }) => mutes.create(caller, body),
    endMute: ({ params }, { caller }) => mutes.end(caller, params.id),
  };
}
