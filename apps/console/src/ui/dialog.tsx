import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";

export interface DialogProps {
  title: string;
  onClose: () => void;
  /** Stays open for the moment, because its end is still to be shown. */
  isHeld?: boolean;
  children: ReactNode;
}

const stackBase = 1050;
let openDialogs = 0;

/** COM-01: large, static backdrop, no close by keyboard, focus trapped and returned; later ones stand above earlier ones. */
export function Dialog({ title, onClose, isHeld = false, children }: DialogProps) {
  const zIndex = useStackIndex();
  const isNarrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  useReturnFocus();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="75rem"
      fullScreen={isNarrow}
      zIndex={zIndex}
      closeOnEscape={false}
      closeOnClickOutside={false}
      trapFocus
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* A header element of a dialog would be one more banner of the page. */}
        <div className="dialog-head">
          <Modal.Title component="h2" fw={600}>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" disabled={isHeld} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function useStackIndex(): number {
  const [zIndex] = useState(() => stackBase + openDialogs);
  useEffect(() => {
    openDialogs++;
    return () => void openDialogs--;
  }, []);
  return zIndex;
}

/** For what is gone when it closes, so that the library's own way of giving the focus back never runs. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.getElementById("main")?.focus();
    },
    [opener],
  );
}
