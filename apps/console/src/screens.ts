import type { StaffRole } from "@busbar/contract/option-lists.ts";

export interface Screen {
  /** Path with parameters as `$name`. */
  path: string;
  title: string;
  role?: StaffRole;
}

/** NAV-01: every other route of the texts, with its title and who may open it (NAV-04, NAV-05, NAV-06). */
export const upcomingScreens: Screen[] = [
  { path: "/node-dashboard/$serialNumber/files", title: "Files" },
  { path: "/node-dashboard/$serialNumber/sensordata/$timestamp/$offset", title: "Sensor Data" },
  { path: "/node-dashboard/files/$fileName", title: "File Contents" },
  { path: "/activity/eventfiles/$eventFileName", title: "Event File" },
];
