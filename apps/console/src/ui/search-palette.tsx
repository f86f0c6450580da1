import { Modal } from "@mantine/core";
import { Command } from "cmdk";
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { useReturnFocus } from "./dialog-frame.tsx";
import { Notice } from "./notice.tsx";
import "./search-palette.css";

export interface SearchPaletteItem {
  icon: ComponentType<{ size?: number }>;
  label: string;
  /** Beside its name. */
  detail?: string;
}

export interface SearchPaletteProps<Item> {
  title: string;
  placeholder: string;
  typed: string;
  maxLength: number;
  onTyped: (typed: string) => void;
  /** Beside what is typed. */
  beside?: ReactNode;
  error?: Error | null;
  /** The likeliest first. */
  items: readonly Item[];
  keyOf: (item: Item) => string;
  onChoose: (item: Item) => void;
  /** Said below the items: that there is none, or that more are looked for. */
  note?: string | undefined;
  onClose: () => void;
}

/** Finds while one types, and chooses by arrows and Enter. */
export function SearchPalette<Item extends SearchPaletteItem>(props: SearchPaletteProps<Item>) {
  const { title, placeholder, typed, maxLength, onTyped, beside, error, items, keyOf, onChoose, note, onClose } = props;
  const [marked, setMarked] = useState("");
  const hasMoved = useRef(false);
  useReturnFocus();
  const first = items[0] === undefined ? "" : keyOf(items[0]);
  // What is found later comes before what was there: until someone moves, the first one is marked.
  useEffect(() => {
    if (!hasMoved.current) setMarked(first);
  }, [first]);

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      aria-label={title}
      transitionProps={{ duration: 0 }}
    >
      <Command
        label={title}
        loop
        shouldFilter={false}
        value={marked}
        onValueChange={setMarked}
        onKeyDown={({ key }) => {
          if (key.startsWith("Arrow")) hasMoved.current = true;
        }}
      >
        <div className="palette-head">
          <Command.Input
            placeholder={placeholder}
            className="palette-input"
            value={typed}
            maxLength={maxLength}
            onValueChange={(next) => {
              hasMoved.current = false;
              onTyped(next);
            }}
            data-autofocus
          />
          {beside}
        </div>
        {error && <Notice kind="error">{failureMessage(error)}</Notice>}
        <Command.List className="palette-list" label={title}>
          {items.map((item) => (
            <Command.Item key={keyOf(item)} value={keyOf(item)} className="palette-item" onSelect={() => onChoose(item)}>
              <item.icon size={16} />
              <span className="palette-label">{item.label}</span>
              {item.detail && <span className="dim palette-detail"> {item.detail}</span>}
            </Command.Item>
          ))}
        </Command.List>
        <output className="dim palette-note">{note}</output>
      </Command>
    </Modal>
  );
}
