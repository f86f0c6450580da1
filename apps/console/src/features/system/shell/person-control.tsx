import { lazy, useState } from "react";
import { DialogSlot } from "#ui/program-part.tsx";
import { PersonButton } from "./person-button.tsx";
import type { PersonMenuProps } from "./person-menu.tsx";

const importMenu = () => import("./person-menu.tsx");
const PersonMenu = lazy(() => importMenu().then((module) => ({ default: module.PersonMenu })));
const fetchMenu = () => void importMenu().catch(() => undefined);

/** The person's button; its menu is loaded when the pointer or the keyboard comes near. */
export function PersonControl(props: PersonMenuProps) {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <PersonButton
      name={props.name}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsOpened(true)}
      onPointerEnter={fetchMenu}
      onFocus={fetchMenu}
    />
  );
  if (!isOpened) return button;
  return (
    <DialogSlot onClose={() => setIsOpened(false)} loading={button}>
      <PersonMenu {...props} />
    </DialogSlot>
  );
}
