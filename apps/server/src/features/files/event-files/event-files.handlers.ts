import { usualPlotColumns } from "@busbar/contract/files/event-files.ts";
import type { presentContents } from "#features/files/node-files/node-files.view.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { EventFiles } from "./event-files.service.ts";
import { presentEventFile } from "./event-files.view.ts";

export function eventFilesHandlers(eventFiles: EventFiles, present: typeof presentContents) {
  return {
    async getEventFile({ params: { eventFileName }, query: { from, to, columns = usualPlotColumns, text } }) {
      return presentEventFile(await eventFiles.open(eventFileName, { from, to, columns }, text !== "no"), present);
    },
  } satisfies Partial<Handlers>;
}
