import { Modal } from "@mantine/core";
import { Command } from "cmdk";
import { useState } from "react";
import { useReturnFocus } from "#ui/dialog.tsx";
import type { MenuGroup } from "./menu.ts";
import { findsFor } from "./palette-finds.ts";
import "./command-palette.css";

export interface CommandPaletteProps {
  groups: MenuGroup[];
  onClose: () => void;
  onGo: (path: string) => void;
}

/** Goes to any screen by its name, to a node by its serial number, and looks for a text in the lists. */
export function CommandPalette({ groups, onClose, onGo }: CommandPaletteProps) {
  const [typed, setTyped] = useState("");
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
        <Command.Input
          placeholder="Screen, serial number or name…"
          className="palette-input"
          value={typed}
          onValueChange={setTyped}
          data-autofocus
        />
        <Command.List className="palette-list">
          {groups.flatMap(({ label, items }) =>
            items.map(({ path, label: name, icon: Icon }) => (
              <Command.Item key={path} value={`${name} ${label ?? ""}`} className="palette-item" onSelect={() => onGo(path)}>
                <Icon size={16} /> {name}
                {label && <span className="dim"> {label}</span>}
              </Command.Item>
            )),
          )}
          <Command.Group>
            {findsFor(typed).map(({ path, label, icon: Icon }) => (
              <Command.Item key={path} value={label} className="palette-item" onSelect={() => onGo(path)}>
                <Icon size={16} /> {label}
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Modal>
  );
}
