import { Suspense } from "react";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { ErrorFrame } from "./error-frame.tsx";

// What is loaded when it is requested is within one of these (.oxlintrc.json): it may be missing after an update, and it may fail.

const failedPart = (error: unknown) => <ErrorFrame what="part" error={error} />;

/** A part of a screen, or of a dialog. */
export function ProgramPart({ loading, children }: { loading?: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={failedPart}>
      <Suspense fallback={loading}>{children}</Suspense>
    </ErrorBoundary>
  );
}

export interface DialogSlotProps {
  onClose: () => void;
  /** The dialog, or what is false while none is open. */
  children: ReactNode;
}

/** Where a dialog opens: one that fails leaves its page alone, and can be closed. */
export function DialogSlot({ onClose, children }: DialogSlotProps) {
  if (!children) return null;
  const failed = (error: unknown) => (
    <Dialog title="Error" onClose={onClose}>
      <ErrorFrame what="dialog" error={error} />
    </Dialog>
  );
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
