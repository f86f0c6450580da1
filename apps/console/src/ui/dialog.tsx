import { Modal } from "@mantine/core";
import { useId } from "react";
import type { ReactNode } from "react";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

const stackBase = 1050;
let open = 0;

/** COM-01: large, static backdrop, no close by keyboard, focus trapped and returned; later ones stand above earlier ones. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const titleId = useId();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="75rem"
      zIndex={stackBase + open}
      closeOnEscape={false}
      closeOnClickOutside={false}
      trapFocus
      returnFocus
      onEnterTransitionEnd={() => void open++}
      onExitTransitionEnd={() => void open--}
      transitionProps={{ duration: 100 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-labelledby={titleId} className="dialog">
        <Modal.Header>
          <Modal.Title id={titleId} component="h2" fw={600}>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
