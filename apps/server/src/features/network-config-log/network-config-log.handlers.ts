import { maxNetworkConfigEntries } from "@busbar/contract/network-config-log.ts";
import type { Handlers } from "#http/endpoints.ts";
import { invalid } from "#lib/errors.ts";
import type { NetworkConfigLogReadModel } from "./network-config-log.read-model.ts";
import { displayTime } from "./network-config-log.view.ts";

export function networkConfigLogHandlers(readModel: NetworkConfigLogReadModel): Pick<Handlers, "getNetworkConfigLog"> {
  return {
    async getNetworkConfigLog({ query }) {
      const limit = query.limit ?? maxNetworkConfigEntries;
      if (limit < 1 || limit > maxNetworkConfigEntries) throw invalid("limit", `is from 1 to ${maxNetworkConfigEntries}`);
      const words = (query.filter ?? "").split(/\s+/).filter(Boolean);
      if (words.some((word) => word.includes("\u0000"))) throw invalid("filter", "holds a NUL character");
      const rows = await readModel.list({ before: query.before, words, limit });
      return rows.map((row) => ({ ...row, displayTimestamp: displayTime(row.timestamp, row.timezone) }));
    },
  };
}
