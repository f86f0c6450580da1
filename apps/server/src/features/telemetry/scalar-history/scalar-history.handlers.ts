import type { Handlers } from "#http/endpoints.ts";
import { invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { ScalarHistoryReadModel } from "./scalar-history.read-model.ts";

/** One hour of scalars at the usual 10 s. */
const defaultLimit = 360;
const maxLimit = 2_000;

export function scalarHistoryHandlers(readModel: ScalarHistoryReadModel) {
  return {
    async getScalarHistory({ params, query }) {
      const limit = query.limit ?? defaultLimit;
      if (limit < 1 || limit > maxLimit) throw invalid("limit", say`is from 1 to ${maxLimit}`);
      const rows = await readModel.latest(Number(params.serial), limit, query.before);
      if (!rows) throw notFound(say`Node ${params.serial}`);
      return rows;
    },
  } satisfies Partial<Handlers>;
}
