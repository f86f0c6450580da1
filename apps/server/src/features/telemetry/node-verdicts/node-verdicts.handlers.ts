import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { NodeVerdictsReadModel } from "./node-verdicts.read-model.ts";

export function nodeVerdictsHandlers(readModel: NodeVerdictsReadModel) {
  return {
    async getNodeVerdict({ params }) {
      const found = await readModel.find(Number(params.serial));
      if (!found) throw notFound(say`Node ${params.serial}`);
      if (!found.verdict) return { verdict: null, evidence: [], history: found.history };
      const { evidence, ...verdict } = found.verdict;
      return { verdict, evidence, history: found.history };
    },
  } satisfies Partial<Handlers>;
}
