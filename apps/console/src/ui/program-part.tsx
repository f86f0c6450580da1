import { Button } from "@mantine/core";
import { Suspense, type ReactNode } from "react";
import { lazyPart } from "#lib/lazy-part.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { ErrorFrame } from "./error-frame.tsx";
import "./program-part.css";

// What is loaded when it is requested is within one of these (.oxlintrc.json): it may be missing after an update, and it may fail.

const DialogFailure = lazyPart(() => import("./dialog-failure.tsx"), "DialogFailure");

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
  /** Shown until it is loaded. */
  loading?: ReactNode;
  /** The dialog, or what is false while none is open. */
  children: ReactNode;
}

/** Where a dialog opens: one that fails leaves its page alone, and can be closed. */
export function DialogSlot({ onClose, loading, children }: DialogSlotProps) {
  if (!children) return null;
  // What every dialog is made of may be missing too.
  const failed = (error: unknown) => {
    const bare = () => <BareFailure error={error} onClose={onClose} />;
    return (
      <ErrorBoundary fallback={bare}>
        <Suspense>
          <DialogFailure error={error} onClose={onClose} />
        </Suspense>
      </ErrorBoundary>
    );
  };
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={loading}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** Above the page, of what every page has. */
function BareFailure({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
    <div className="bare-failure">
      <ErrorFrame what="dialog" error={error} />
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
