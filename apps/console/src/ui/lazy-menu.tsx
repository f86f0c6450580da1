import { useState, type ComponentType, type ReactNode } from "react";
import { DialogSlot } from "./program-part.tsx";

interface ClosedMenuProps {
  "aria-haspopup": "menu" | "dialog";
  "aria-expanded": false;
  onClick: () => void;
  onPointerEnter: () => void;
  onFocus: () => void;
}

export interface LazyMenuProps<Props> {
  opens: "menu" | "dialog";
  /** Loads what `children` are made of. */
  load: () => Promise<unknown>;
  /** Alone, until it is pressed. */
  Button: ComponentType<Props & ClosedMenuProps>;
  buttonProps: Props;
  /** The button with its menu, open at first: it takes the place of the other. */
  children: ReactNode;
}

/** A button whose menu is loaded when the pointer or the keyboard comes near: no first screen waits for it. */
export function LazyMenu<Props extends object>({ opens, load, Button, buttonProps, children }: LazyMenuProps<Props>) {
  const [isOpened, setIsOpened] = useState(false);
  const loadEarly = () => void load().catch(() => undefined);
  const closed = (
    <Button
      {...buttonProps}
      aria-haspopup={opens}
      aria-expanded={false}
      onClick={() => setIsOpened(true)}
      onPointerEnter={loadEarly}
      onFocus={loadEarly}
    />
  );
  if (!isOpened) return closed;
  return (
    <DialogSlot onClose={() => setIsOpened(false)} loading={closed}>
      {children}
    </DialogSlot>
  );
}
