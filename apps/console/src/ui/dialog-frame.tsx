import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useEffect, useState } from "react";
import type { ReactNode } from "react";

export interface DialogFrameProps {
  title: string;
  onClose: () => void;
  /** Stays open for the moment, because its end is still to be shown. */
  isHeld?: boolean;
  children: ReactNode;
}

const stackBase = 1050;
let openDialogs = 0;

/**
 * COM-01: large, static backdrop, no close by keyboard, focus trapped and returned; later ones are above earlier ones.
 * It closes unasked: see Dialog.
 */
export function DialogFrame({ title, onClose, isHeld = false, children }: DialogFrameProps) {
  const zIndex = useStackIndex();
  const isNarrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  useReturnFocus();
  const keepFocus = useKeptFocus(zIndex);
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
        <div className="dialog-head" ref={keepFocus}>
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

/**
 * COM-01: a button that is disabled while it works, or that goes with its form, would lose the focus to the page behind the dialog.
 * It comes back to the button, or to the dialog when the button is gone. A field that asks for the focus gets it also when it
 * was loaded later than the dialog, as long as no one has begun to use it.
 * @returns for something in the dialog
 */
function useKeptFocus(zIndex: number): (inside: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (inside) => {
      const dialog = inside?.closest<HTMLElement>("[role='dialog']");
      if (!dialog) return undefined;
      let last = dialog;
      let isUsed = false;
      const isOnTop = () => zIndex === stackBase + openDialogs - 1;
      const focusOn = (target: HTMLElement) => {
        if (document.activeElement !== target) target.focus({ preventScroll: true });
      };
      const bringBack = () => {
        if (!isOnTop()) return;
        const target = isUsed ? null : dialog.querySelector<HTMLElement>("[data-autofocus]");
        if (target) focusOn(target);
        else if (document.activeElement === document.body && !last.matches(":disabled")) focusOn(last.isConnected ? last : dialog);
      };
      const remember = ({ target }: FocusEvent) => {
        last = target as HTMLElement;
        if (last.matches("input:not([data-autofocus]), textarea:not([data-autofocus])")) isUsed = true;
      };
      const use = () => {
        isUsed = true;
      };
      const keepTab = (event: KeyboardEvent) => {
        if (event.key !== "Tab" || document.activeElement !== document.body || !isOnTop()) return;
        event.preventDefault();
        focusOn(dialog);
      };
      const observer = new MutationObserver(bringBack);
      observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ["disabled"] });
      dialog.addEventListener("focusin", remember);
      dialog.addEventListener("keydown", use);
      dialog.addEventListener("pointerdown", use);
      document.addEventListener("keydown", keepTab, true);
      return () => {
        observer.disconnect();
        dialog.removeEventListener("focusin", remember);
        dialog.removeEventListener("keydown", use);
        dialog.removeEventListener("pointerdown", use);
        document.removeEventListener("keydown", keepTab, true);
      };
    },
    [zIndex],
  );
}
