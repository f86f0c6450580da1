import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { unsavedEdits, type EditScope, type LossQuestion } from "#lib/unsaved-edits.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { ProgramPart } from "./program-part.tsx";

const importQuestion = () => import("./leave-question.tsx");
const LeaveQuestion = lazyPart(() => importQuestion(), "LeaveQuestion");

interface Leaving {
  scope: EditScope | undefined;
  /** True at once when nothing would be lost, else what the person answers. */
  mayLeave: () => Promise<boolean>;
}

const LeavingContext = createContext<Leaving>({ scope: undefined, mayLeave: () => Promise.resolve(true) });

/** Around the page, and around what a dialog holds. */
export function LeavingScope({ leaving, children }: { leaving: Leaving; children: ReactNode }) {
  return <LeavingContext value={leaving}>{children}</LeavingContext>;
}

/** In a form that holds something that is not saved: whatever would throw it away asks first. */
export function UnsavedEdits({ when, question }: { when: boolean; question?: LossQuestion }) {
  const { scope } = use(LeavingContext);
  useEffect(() => (when ? unsavedEdits.note(scope, question) : undefined), [when, scope, question]);
  // Fetched with the form: what is edited here must not be lost when the connection is.
  useEffect(() => void importQuestion().catch(() => undefined), []);
  return null;
}

/** For a button that throws away what was entered here: goes on when nothing is lost by it, or when the person agrees. */
export function useLeave(): (go: () => void) => void {
  const { mayLeave } = use(LeavingContext);
  return useCallback((go) => void mayLeave().then((isFree) => isFree && go()), [mayLeave]);
}

/** Asks once, however often it is called before the answer. */
export function useLeaveQuestion(scope?: EditScope): { leaving: Leaving; question: ReactNode } {
  const [isAsked, setIsAsked] = useState(false);
  const pending = useRef<{ answer: Promise<boolean>; settle: (isFree: boolean) => void } | undefined>(undefined);
  const mayLeave = useCallback(() => {
    if (!unsavedEdits.exist(scope)) return Promise.resolve(true);
    if (!pending.current) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      pending.current = { answer: promise, settle: resolve };
      setIsAsked(true);
    }
    return pending.current.answer;
  }, [scope]);
  const [leaving] = useState<Leaving>(() => ({ scope, mayLeave }));
  const settle = (isFree: boolean) => {
    pending.current?.settle(isFree);
    pending.current = undefined;
    setIsAsked(false);
  };
  return {
    leaving,
    question: isAsked && (
      <ProgramPart>
        <LeaveQuestion question={unsavedEdits.questionOf(scope)} onAnswer={settle} />
      </ProgramPart>
    ),
  };
}
