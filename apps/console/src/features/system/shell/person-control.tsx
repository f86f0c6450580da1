import { lazyPart } from "#lib/lazy-part.ts";
import { LazyMenu } from "#ui/lazy-menu.tsx";
import { PersonButton } from "./person-button.tsx";
import type { PersonMenuProps } from "./person-menu.tsx";

const importMenu = () => import("./person-menu.tsx");
const PersonMenu = lazyPart(() => importMenu(), "PersonMenu");

/** The person's button and menu. */
export function PersonControl(props: PersonMenuProps) {
  return (
    <LazyMenu opens="menu" load={importMenu} Button={PersonButton} buttonProps={{ name: props.name }}>
      <PersonMenu {...props} />
    </LazyMenu>
  );
}
