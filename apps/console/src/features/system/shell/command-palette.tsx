import { Modal } from "@mantine/core";
import { Command, defaultFilter } from "cmdk";
import { find, leastFindText, maxFindText } from "@busbar/contract/system/find.ts";
import { runService } from "@busbar/contract/system/system-services.ts";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { failureMessage } from "#lib/api-error.ts";
import { Notice } from "#ui/notice.tsx";
import { useReturnFocus } from "#ui/dialog-frame.tsx";
import type { MenuGroup } from "./menu.ts";
import { findsFor } from "./palette-finds.ts";
import { holdsWords, itemsOfFound } from "./palette-found.ts";
import type { PaletteItem } from "./palette-found.ts";
import "./command-palette.css";

export interface CommandPaletteProps {
  groups: MenuGroup[];
  onClose: () => void;
  onGo: (path: string) => void;
}

const additions: MenuGroup = {
  label: "action",
  items: [
    { label: "Add node", path: "/nodes?add=node", icon: IconPlus },
    { label: "Add customer", path: "/customers?add=customer", icon: IconPlus },
    { label: "Add user", path: "/users?add=user", icon: IconPlus },
  ],
};

/** Goes to any screen, and to whatever is found by parts of its words; adds, and runs services. */
export function CommandPalette({ groups, onClose, onGo }: CommandPaletteProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState("");
  const hasMoved = useRef(false);
  useReturnFocus();
  // "Run" is said of services, whose names do not hold it.
  const text = typed.trim().replace(/^run +/i, "");
  const { data: found = [] } = useApiQuery(find, { query: { text } }, { enabled: text.length >= leastFindText, isPreviousKept: true });
  const run = useApiMutation((call, name: string) => call(runService, { params: { name } }));
  // Screens first, the likeliest on top, then what was found and what lists may hold: cmdk's own order mixes them.
  const screens = [...groups, ...(text === "" ? [] : [additions])]
    .flatMap(({ label: group, items }) =>
      items.map((item) => ({ ...item, detail: group ?? "", likeness: likenessOf(`${item.label} ${group ?? ""}`, typed) })),
    )
    .filter(({ likeness }) => likeness > leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness);
  const items = distinct([
    ...screens,
    ...(text.length < leastFindText ? [] : itemsOfFound(found.filter((each) => holdsWords(each, text)))),
    ...findsFor(typed),
  ]);
  const first = keyOf(items[0]);
  // What is found later comes before what was there: until someone moves, the first one is chosen.
  useEffect(() => {
    if (!hasMoved.current) setChosen(first);
  }, [first]);

  const choose = (item: PaletteItem) => {
    if (item.service === undefined) return onGo(item.path);
    run.mutate(item.service, { onSuccess: () => onGo(item.path) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      aria-label="Go to"
      transitionProps={{ duration: 0 }}
    >
      <Command
        label="Go to"
        loop
        shouldFilter={false}
        value={chosen}
        onValueChange={setChosen}
        onKeyDown={({ key }) => {
          if (key.startsWith("Arrow")) hasMoved.current = true;
        }}
      >
        <Command.Input
          placeholder="Screen, serial number or name…"
          className="palette-input"
          value={typed}
          maxLength={maxFindText}
          onValueChange={(next) => {
            hasMoved.current = false;
            setTyped(next);
          }}
          data-autofocus
        />
        {run.error && <Notice kind="error">{failureMessage(run.error)}</Notice>}
        <Command.List className="palette-list">
          {items.map((item) => (
            <Command.Item key={keyOf(item)} value={keyOf(item)} className="palette-item" onSelect={() => choose(item)}>
              <item.icon size={16} />
              <span>{item.label}</span>
              {item.detail && <span className="dim palette-detail"> {item.detail}</span>}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Modal>
  );
}

const keyOf = (item: PaletteItem | undefined): string => (item === undefined ? "" : `${item.path} ${item.service ?? ""}`);

/** A node is known by its number before it is found: what was found says more. */
function distinct(items: readonly PaletteItem[]): PaletteItem[] {
  const byKey = new Map<string, PaletteItem>();
  for (const item of items) {
    const known = byKey.get(keyOf(item));
    byKey.set(keyOf(item), known?.detail === undefined || known.detail === "" ? { ...known, ...item } : known);
  }
  return [...byKey.values()];
}

/** Letters that merely come in this order, as those of “brine” in “Subscription Report”, are no match. */
const leastLikeness = 0.1;
const likenessOf = (name: string, typed: string): number => (typed.trim() === "" ? 1 : defaultFilter(name, typed.trim()));
