import { Menu } from "@mantine/core";
import { IconHelp, IconLogout, IconShieldLock } from "@tabler/icons-react";
import { useRef } from "react";
import { PersonButton } from "./person-button.tsx";

export interface PersonMenuProps {
  name: string;
  onOpenSecurity: () => void;
  onOpenShortcuts: () => void;
}

/** Open at first. Its button takes the place of the one that was pressed, which is why the library knows no place to give the focus back to. */
export function PersonMenu({ name, onOpenSecurity, onOpenShortcuts }: PersonMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" width={180} defaultOpened onClose={() => button.current?.focus()}>
      <Menu.Target>
        <PersonButton name={name} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconShieldLock size={15} />} onClick={onOpenSecurity}>
          Security
        </Menu.Item>
        <Menu.Item leftSection={<IconHelp size={15} />} onClick={onOpenShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} component="a" href="#/logout">
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
