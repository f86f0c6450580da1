import { Modal } from "@mantine/core";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { keepFocus, openDialogs } from "./kept-focus.ts";
import { useIsNarrow } from "./use-is-narrow.ts";

export interface DialogFrameProps {
  title: string;
  onClose: () => void;
  /** Stays open for the moment, because its end is still to be shown. */
  isHeld?: boolean;
  children: ReactNode;
}

const stackBase = 1050;

/**
 * COM-01: large, static backdrop, no close by keyboard, focus trapped and returned; later ones are above earlier ones.
 * It closes unasked: see Dialog.
 */
export function DialogFrame({ title, onClose, isHeld = false, children }: DialogFrameProps) {
  const zIndex = useStackIndex();
  const isNarrow = useIsNarrow();
  useReturnFocus();
  const focusInside = useFocusInside(zIndex);
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
        <div className="dialog-head" ref={focusInside}>
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
  const [zIndex] = useState(() => stackBase + openDialogs.count);
  useEffect(() => {
    openDialogs.count++;
    return () => void openDialogs.count--;
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

/**
 * COM-01: the focus stays in the dialog. A field that asks for it gets it also when it was loaded later than the dialog, as long as no one
 * has begun to use it.
 * @returns for something in the dialog
 */
function useFocusInside(zIndex: number): (inside: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (inside) => {
      const dialog = inside?.closest<HTMLElement>("[role='dialog']");
      if (!dialog) return undefined;
      let isUsed = false;
      const isOnTop = () => zIndex === stackBase + openDialogs.count - 1;
      const use = () => {
        isUsed = true;
      };
      const useField = ({ target }: FocusEvent) => {
        if ((target as HTMLElement).matches("input:not([data-autofocus]), textarea:not([data-autofocus])")) use();
      };
      const keepTab = (event: KeyboardEvent) => {
        if (event.key !== "Tab" || document.activeElement !== document.body || !isOnTop()) return;
        event.preventDefault();
        dialog.focus({ preventScroll: true });
      };
      const stop = keepFocus(dialog, {
        isOnTop,
        findAsking: () => (isUsed ? null : dialog.querySelector<HTMLElement>("[data-autofocus]")),
      });
      dialog.addEventListener("focusin", useField);
      dialog.addEventListener("keydown", use);
      dialog.addEventListener("pointerdown", use);
      document.addEventListener("keydown", keepTab, true);
      return () => {
        stop();
        dialog.removeEventListener("focusin", useField);
        dialog.removeEventListener("keydown", use);
        dialog.removeEventListener("pointerdown", use);
        document.removeEventListener("keydown", keepTab, true);
      };
    },
    [zIndex],
  );
}
