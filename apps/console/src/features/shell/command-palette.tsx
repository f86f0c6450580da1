import { Modal } from "@mantine/core";
import { Command } from "cmdk";
import { useReturnFocus } from "#ui/dialog.tsx";
import type { MenuGroup } from "./menu.ts";
import "./command-palette.css";

export interface CommandPaletteProps {
  groups: MenuGroup[];
  onClose: () => void;
  onGo: (path: string) => void;
}

/** Goes to any screen by its name. */
export function CommandPalette({ groups, onClose, onGo }: CommandPaletteProps) {
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="md"
      yOffset="12vh"
      aria-label="Go to"
      transitionProps={{ duration: 0 }}
    >
      <Command label="Go to" loop>
        <Command.Input placeholder="Go to…" className="palette-input" data-autofocus />
        <Command.List className="palette-list">
          <Command.Empty className="palette-empty">No screen has this name.</Command.Empty>
          {groups.flatMap(({ label, items }) =>
            items.map(({ path, label: name, icon: Icon }) => (
              <Command.Item key={path} value={`${name} ${label ?? ""}`} className="palette-item" onSelect={() => onGo(path)}>
                <Icon size={16} /> {name}
                {label && <span className="dim"> {label}</span>}
              </Command.Item>
            )),
          )}
        </Command.List>
      </Command>
    </Modal>
  );
}
