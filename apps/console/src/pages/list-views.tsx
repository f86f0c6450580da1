import type { SavedView, ViewList } from "@busbar/contract/system/saved-views.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { SavedViews } from "#features/system/saved-views/saved-views.tsx";
import { parseSearch, stringifySearch } from "#lib/search-codec.ts";

export interface ListViewsProps {
  list: ViewList;
  path: string;
  /** The list's part of the address as it is now. */
  search: Record<string, string>;
  /** What the list takes of an address. */
  taken: (search: Record<string, string>) => Record<string, string>;
}

/** The saved views of a list, which are opened by its address. */
export function ListViews({ list, path, search, taken }: ListViewsProps) {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = useCallback(
    (query: string, view: string) => void navigate({ to: path, search: { ...parseSearch(query), view }, replace: true }),
    [navigate, path],
  );
  const onOpen = useCallback((view: SavedView | undefined) => go(view?.query ?? "", view ? String(view.id) : "none"), [go]);
  const query = stringifySearch(search).slice(1);
  const lostOf = (saved: string) => {
    const wanted = parseSearch(saved);
    const kept = taken(wanted);
    return Object.entries(wanted).flatMap(([name, value]) => (kept[name] === value ? [] : [`${name} ${value}`]));
  };
  const { view } = address;
  return (
    <SavedViews
      list={list}
      query={query}
      chosen={typeof view === "string" ? view : ""}
      lostOf={lostOf}
      isBare={query === "" && Object.keys(address).length === 0}
      onOpen={onOpen}
      onName={({ id }) => go(query, String(id))}
    />
  );
}
