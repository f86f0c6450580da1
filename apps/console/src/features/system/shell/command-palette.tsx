import { defaultFilter } from "cmdk";
import { find, leastFindText, maxFindText } from "@busbar/contract/system/find.ts";
import { runService } from "@busbar/contract/system/system-services.ts";
import { IconPlus, IconWaveSine } from "@tabler/icons-react";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { holdsWords } from "#lib/holds-words.ts";
import { SearchPalette } from "#ui/search-palette.tsx";
import type { MenuGroup } from "./menu.ts";
import { findsFor } from "./palette-finds.ts";
import { itemsOfFound, type PaletteItem } from "./palette-found.ts";

export interface CommandPaletteProps {
  groups: MenuGroup[];
  typed: string;
  onTyped: (typed: string) => void;
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

/** Screens that are reached through others. */
const further: MenuGroup = {
  label: "Events",
  items: [
    { label: "GP Node Events", path: "/activities/gpnodeevents", icon: IconWaveSine },
    { label: "GP Node Waveforms", path: "/activities/gpnodewaveforms", icon: IconWaveSine },
  ],
};

/** Goes to any screen, and to whatever is found by parts of its words; adds, and runs services. */
export function CommandPalette({ groups, typed, onTyped, onClose, onGo }: CommandPaletteProps) {
  // "Run" is said of services, whose names do not hold it.
  const text = typed.trim().replace(/^run +/i, "");
  const isFinding = text.length >= leastFindText;
  const { data = [], error, isFetching } = useApiQuery(find, { query: { text } }, { enabled: isFinding, isPreviousKept: true });
  const found = isFinding ? data.filter((each) => holdsWords(each, text)) : [];
  const run = useApiMutation((call, name: string) => call(runService, { params: { name } }));
  // Screens first, the likeliest on top, then what was found and what lists may hold: cmdk's own order mixes them.
  const screens = [...groups, further, ...(text === "" ? [] : [additions])]
    .flatMap(({ label: group, items }) =>
      items.map((item) => ({ ...item, detail: group ?? "", likeness: likenessOf(`${item.label} ${group ?? ""}`, typed) })),
    )
    .filter(({ likeness }) => likeness > leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness);
  const items = distinct([...screens, ...itemsOfFound(found), ...findsFor(typed)]);
  const isNothingFound = isFinding && !error && screens.length + found.length === 0;
  const choose = (item: PaletteItem) => {
    if (item.service === undefined) return onGo(item.path);
    run.mutate(item.service, { onSuccess: () => onGo(item.path) });
  };
  return (
    <SearchPalette
      title="Go to"
      placeholder="Screen, serial number or name…"
      typed={typed}
      maxLength={maxFindText}
      onTyped={onTyped}
      error={run.error ?? (isFinding ? error : null)}
      note={isNothingFound ? (isFetching ? "Searching…" : `Nothing is called “${text}”.`) : undefined}
      items={items}
      keyOf={keyOf}
      onChoose={choose}
      onClose={onClose}
    />
  );
}

const keyOf = (item: PaletteItem): string => `${item.path} ${item.service ?? ""}`;

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
