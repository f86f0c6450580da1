import { Dialog } from "./dialog.tsx";
import { ErrorFrame } from "./error-frame.tsx";

/** In place of a dialog that could not be drawn. */
export function DialogFailure({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
    <Dialog title="Error" onClose={onClose}>
      <ErrorFrame what="dialog" error={error} />
    </Dialog>
  );
}
