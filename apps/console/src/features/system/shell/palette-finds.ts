import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { IconBuilding, IconChartLine, IconCpu, IconFiles, IconGauge, IconListCheck, IconUsers, IconWaveSine } from "@tabler/icons-react";
import type { MenuItem } from "./menu.ts";

/** Where a typed text leads, apart from the screens: a serial number to what belongs to its node, any text to the lists that it filters. */
export function findsFor(typed: string): MenuItem[] {
  const text = typed.trim();
  if (text === "") return [];
  const filter = `?filterText=${encodeURIComponent(text)}`;
  const ofNode = [
    { label: `Node ${text}`, path: `/nodes/${text}`, icon: IconCpu },
    { label: `Files of node ${text}`, path: `/node-dashboard/${text}/files?dataInterval=900`, icon: IconFiles },
    { label: `Events of node ${text}`, path: `/events?text=${text}`, icon: IconWaveSine },
    { label: `Trends of node ${text}`, path: `/trends?series=${text}:current`, icon: IconChartLine },
    { label: `Tasks of node ${text}`, path: `/nodes/${text}/tasks`, icon: IconListCheck },
  ];
  return [
    ...(serialNumberPattern.test(text) ? ofNode : []),
    { label: `“${text}” on the dashboard`, path: `/node-dashboard${filter}`, icon: IconGauge },
    { label: `“${text}” among the nodes`, path: `/nodes${filter}`, icon: IconCpu },
    { label: `“${text}” among the customers`, path: `/customers${filter}`, icon: IconBuilding },
    { label: `“${text}” among the users`, path: `/users${filter}`, icon: IconUsers },
  ];
}
