import { wordsOfFound, type Found } from "@busbar/contract/system/find.ts";
import {
  IconBuilding,
  IconBuildingFactory2,
  IconCpu,
  IconEngine,
  IconFileText,
  IconPlayerPlay,
  IconServerCog,
  IconSettings,
  IconUser,
} from "@tabler/icons-react";
import type { MenuItem } from "./menu.ts";

/** What can be chosen: leads somewhere, or does something. */
export interface PaletteItem extends MenuItem {
  /** Beside its name. */
  detail?: string;
  /** The service that it runs. */
  service?: string;
}

const icons = {
  node: IconCpu,
  location: IconEngine,
  facility: IconBuildingFactory2,
  customer: IconBuilding,
  user: IconUser,
  file: IconFileText,
  service: IconServerCog,
  setting: IconSettings,
};

function pathOf({ kind, id }: Found, name: string): string {
  switch (kind) {
    case "node":
      return `/nodes/${id}`;
    case "facility":
      return `/facilities/${id}`;
    case "location":
    case "customer":
      return `/customers?filterText=${encodeURIComponent(name)}`;
    case "user":
      return `/users/${id}`;
    case "file":
      return `/node-dashboard/files/${encodeURIComponent(id)}`;
    case "service":
      return "/system/services";
    case "setting":
      return "/system/config";
  }
}

/** What the server found, and that services can be run. */
export const itemsOfFound = (found: readonly Found[]): PaletteItem[] =>
  found.flatMap((each): PaletteItem[] => {
    const { name, detail } = wordsOfFound(each);
    const item = { label: name, detail: [each.kind, detail].filter(Boolean).join(", "), path: pathOf(each, name), icon: icons[each.kind] };
    return each.kind === "service"
      ? [item, { ...item, label: `Run ${name}`, detail: "action", icon: IconPlayerPlay, service: name }]
      : [item];
  });
