import { useState } from "react";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { DialogFrame, type DialogFrameProps } from "./dialog-frame.tsx";
import { LeavingScope, useLeaveQuestion } from "./unsaved-edits.tsx";

/** COM-01, COM-02; it closes unasked only when nothing in it is lost. */
export function Dialog({ onClose, children, ...rest }: DialogFrameProps) {
  const [scope] = useState(() => ({}));
  const { leaving, question } = useLeaveQuestion(scope);
  const close = async () => {
    if (!(await leaving.mayLeave())) return;
    unsavedEdits.giveUp(scope);
    onClose();
  };
  return (
    <>
      <DialogFrame {...rest} onClose={() => void close()}>
        <LeavingScope leaving={leaving}>{children}</LeavingScope>
      </DialogFrame>
      {question}
    </>
  );
}
