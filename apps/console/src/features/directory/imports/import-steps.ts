import { ImportStep } from "@busbar/contract/values/import-plan.ts";
import { ApiError, networkFailureMessage } from "#lib/api-error.ts";

type LastStep = Exclude<ImportStep, { done: number } | { failure: string }>;

/**
 * Reads how far an import or its dry run is until its last line, which is returned.
 * @param advice after the words of a connection that broke before anyone knew
 * @throws what it failed of
 */
export async function followImport({ body }: Response, advice: string, onStep: (done: number, total: number) => void): Promise<LastStep> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const part = await reader?.read().catch(() => undefined);
    const lines = `${rest}${part?.value ?? ""}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const step = ImportStep.parse(JSON.parse(line));
      if ("failure" in step) throw new ApiError(0, "IMPORT_FAILED", step.failure);
      if (!("done" in step)) return step;
      onStep(step.done, step.total);
    }
    if (part?.done !== false) throw new ApiError(0, "NETWORK", `${networkFailureMessage} ${advice}`.trim());
  }
}
