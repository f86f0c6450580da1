import { Modal } from "@mantine/core";
import { Command, defaultFilter } from "cmdk";
import { useState } from "react";
import { useReturnFocus } from "#ui/dialog-frame.tsx";
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
  // Screens first, the likeliest on top, then what may be found: cmdk's own order mixes them.
  const screens = groups
    .flatMap(({ label: group, items }) =>
      items.map((item) => ({ ...item, group, likeness: likenessOf(`${item.label} ${group ?? ""}`, typed) })),
    )
    .filter(({ likeness }) => likeness > leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness);
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
      <Command label="Go to" loop shouldFilter={false}>
        <Command.Input
          placeholder="Screen, serial number or name…"
          className="palette-input"
          value={typed}
          onValueChange={setTyped}
          data-autofocus
        />
        <Command.List className="palette-list">
          {screens.map(({ path, label, group, icon: Icon }) => (
            <Command.Item key={path} value={path} className="palette-item" onSelect={() => onGo(path)}>
              <Icon size={16} /> {label}
              {group && <span className="dim"> {group}</span>}
            </Command.Item>
          ))}
          {findsFor(typed).map(({ path, label, icon: Icon }) => (
            <Command.Item key={path} value={path} className="palette-item" onSelect={() => onGo(path)}>
              <Icon size={16} /> {label}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Modal>
  );
}

/** Letters that merely come in this order, as those of “brine” in “Subscription Report”, are no match. */
const leastLikeness = 0.1;
const likenessOf = (name: string, typed: string): number => (typed.trim() === "" ? 1 : defaultFilter(name, typed.trim()));
