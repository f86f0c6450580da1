import { PassThrough } from "node:stream";
import type { ImportCounts, ImportPlan, ImportStep } from "@busbar/contract/values/import-plan.ts";
import { AppError } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import type { Caller, PreparedAnswer } from "./endpoints.ts";

/** Said again in between: an answer that is silent for long is ended by who carries it. */
const beatMs = 5_000;

type OnStep = (done: number, total: number) => void;

interface Files {
  plan: (caller: Caller, bytes: Uint8Array, onStep: OnStep) => Promise<ImportPlan>;
  run: (caller: Caller, bytes: Uint8Array, digest: string, onStep: OnStep) => Promise<ImportCounts[]>;
}
interface Sent {
  body: Uint8Array;
}
interface By {
  caller: Caller;
}

/** The calls of an import: its dry run, and itself. */
export const importCalls = (files: Files, log: Log) => ({
  plan: ({ body }: Sent, { caller }: By) => answerImport(log, async (onStep) => ({ plan: await files.plan(caller, body, onStep) })),
  run: ({ params, body }: Sent & { params: { digest: string } }, { caller }: By) =>
    answerImport(log, async (onStep) => ({ imported: await files.run(caller, body, params.digest, onStep) })),
});

/** Lines of JSON that say how far it is. What is refused before the first one is an answer like any other. */
function answerImport(log: Log, work: (onStep: OnStep) => Promise<ImportStep>): Promise<PreparedAnswer> {
  return new Promise<PreparedAnswer>((begun, refused) => {
    const steps = new PassThrough();
    const say = (step: ImportStep) => steps.write(`${JSON.stringify(step)}\n`);
    let isBegun = false;
    let last = { done: 0, total: 0 };
    const begin = () => {
      if (!isBegun) begun({ status: 200, headers: { "content-type": "application/x-ndjson" }, body: steps });
      isBegun = true;
    };
    const onStep: OnStep = (done, total) => {
      begin();
      say((last = { done, total }));
    };
    const beat = setInterval(() => onStep(last.done, last.total), beatMs);
    const end = () => {
      clearInterval(beat);
      steps.end();
    };
    work(onStep).then(
      (outcome) => {
        begin();
        say(outcome);
        end();
      },
      (error: unknown) => {
        if (!isBegun) {
          end();
          return refused(error);
        }
        if (!(error instanceof AppError)) log.error({ err: error }, "an import failed");
        say({ failure: `${error instanceof AppError ? error.message : "The import failed"}. Nothing was changed` });
        end();
      },
    );
  });
}
