import { lazy } from "react";
import { LazyMenu } from "#ui/lazy-menu.tsx";
import { PersonButton } from "./person-button.tsx";
import type { PersonMenuProps } from "./person-menu.tsx";

const importMenu = () => import("./person-menu.tsx");
const PersonMenu = lazy(() => importMenu().then((module) => ({ default: module.PersonMenu })));

/** The person's button and menu. */
export function PersonControl(props: PersonMenuProps) {
  return (
    <LazyMenu opens="menu" load={importMenu} Button={PersonButton} buttonProps={{ name: props.name }}>
      <PersonMenu {...props} />
    </LazyMenu>
  );
}
