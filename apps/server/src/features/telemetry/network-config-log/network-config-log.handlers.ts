import { maxNetworkConfigEntries } from "@busbar/contract/telemetry/network-config-log.ts";
import type { Call, Handlers } from "#http/endpoints.ts";
import { invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { AuditRow, AuditSearch, NetworkConfigLogReadModel } from "./network-config-log.read-model.ts";
import { displayTime } from "./network-config-log.view.ts";

export function networkConfigLogHandlers(readModel: NetworkConfigLogReadModel) {
  /** As the database searches, but in what the caller reads. */
  async function searchShown({ before, words, limit }: AuditSearch, asShown: NonNullable<Call["asShown"]>): Promise<AuditRow[]> {
    const isMatch = (row: AuditRow) => {
      const { username, locationName, serialNumber, key, oldValue, newValue } = asShown(row);
      const text = [username, locationName, serialNumber, key, oldValue, newValue].join(" ").toLowerCase();
      return words.every((word) => text.includes(word.toLowerCase()));
    };
    const found: AuditRow[] = [];
    for (let from = before; found.length < limit;) {
      const page = await readModel.list({ before: from, words: [], limit: maxNetworkConfigEntries });
      found.push(...page.filter(isMatch));
      from = page.at(-1)?.id;
      if (from === undefined) break;
    }
    return found.slice(0, limit);
  }

  return {
    async getNetworkConfigLog({ query }, { asShown }) {
      const limit = query.limit ?? maxNetworkConfigEntries;
      if (limit < 1 || limit > maxNetworkConfigEntries) throw invalid("limit", say`is from 1 to ${maxNetworkConfigEntries}`);
      const words = (query.filter ?? "").split(/\s+/).filter(Boolean);
      if (words.some((word) => word.includes("\u0000"))) throw invalid("filter", say`holds a NUL character`);
      const search = { before: query.before, words, limit };
      const rows = await (asShown && words.length > 0 ? searchShown(search, asShown) : readModel.list(search));
      return rows.map((row) => ({ ...row, displayTimestamp: displayTime(row.timestamp, row.timezone) }));
    },
  } satisfies Partial<Handlers>;
}
