import type { Handlers } from "#http/endpoints.ts";
import type { MeteringService } from "./metering.service.ts";

export function meteringHandlers(metering: MeteringService) {
  return {
    getMetering: ({ params, query }) =>
      metering.read(Number(params.id), {
        withString: query.string === "true",
        lineToNeutral: query.doLineToNeutral === "true",
        isWatched: query.watch !== "false",
      }),
    getRawMetering: ({ params }) => metering.raw(Number(params.serial)),
    getNodeWiring: ({ params }) => metering.wiring(Number(params.serial)),
    async resetMetering({ params }, { caller }) {
      await metering.reset(caller, Number(params.serial));
      return { reset: true };
    },
  } satisfies Partial<Handlers>;
}
