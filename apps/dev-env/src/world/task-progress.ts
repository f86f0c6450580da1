import type { DeploymentTaskType } from "@busbar/contract/values/option-lists.ts";

export interface TaskProgress {
  location: string;
  taskType: DeploymentTaskType | null;
  /** Completed tasks by template id, in the order in which they were. */
  completed: number[];
  notes: Readonly<Record<number, string>>;
}

const allBefore = [101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112];

/** How far the deployments are that the demo shows: almost done, in the middle, a replacement, and one whose kind no one chose. */
export const taskProgress: readonly TaskProgress[] = [
  {
    location: "Folder Gluer Drive",
    taskType: "NL-EF",
    completed: [...allBefore, 201, 202, 203, 204, 205, 206, 207, 208],
    notes: {
      103: "Port 14 of the gluing hall's switch, VLAN 40, address by DHCP. No firewall change needed.",
      105: "Worst deviations: I2 +0.31 %, V1 -0.22 %, I1 +0.18 %.",
      112: "Outage on the 14th, 06:00 to 08:00. Ask for the shift lead at gate 2.",
      205: "Panel 415.2 V, 61.8 A; node 415.9 V, 62.3 A.",
    },
  },
  {
    location: "Die Press 2",
    taskType: "NL-NF",
    completed: [101, 102, 104, 103, 105, 106],
    notes: {
      102: "The plate is painted over. Data sheet asked for on Monday.\nReceived: 60 hp, 460 V, 68.7 A, 1770 rpm.",
      103: "Firewall request filed by the customer, granted two days later.",
    },
  },
  {
    location: "Backwash Pump",
    taskType: "RMA",
    completed: [101, 102, 103, 104, 105, 106, 107, 111],
    notes: { 101: "Replaces the node that stopped sending after the lightning strike.", 111: "Return label is in the lid of the box." },
  },
  { location: "Bench 2", taskType: null, completed: [101, 102, 104], notes: {} },
];
