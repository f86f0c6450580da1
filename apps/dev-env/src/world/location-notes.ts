export interface DemoNote {
  location: string;
  /** Before the world began. */
  minutesAgo: number;
  note: string;
  details?: string;
  isArchived?: boolean;
  showInVoltagePlot?: boolean;
  showInCurrentPlot?: boolean;
  showInAccumulatedAmpHoursPlot?: boolean;
}

/** Invented; the newest are within the scalars that the history shows. */
export const demoNotes: readonly DemoNote[] = [
  { location: "Chipper 1", minutesAgo: 12, note: "Knives changed", details: "Set 4, torque checked. Old set was chipped at tip 7." },
  { location: "Chipper 1", minutesAgo: 25, note: "Frozen logs from here on", showInVoltagePlot: false },
  {
    location: "Chipper 1",
    minutesAgo: 41,
    note: "Feeder tap changed at the substation",
    showInCurrentPlot: false,
    showInAccumulatedAmpHoursPlot: false,
  },
  {
    location: "Chipper 1",
    minutesAgo: 60 * 24 * 40,
    note: "CT on phase 2 was turned round",
    details: "Values before are not to be trusted.",
    isArchived: true,
  },
  { location: "Kiln 2 Fan", minutesAgo: 30, note: "Damper stuck half open" },
  { location: "Kiln 2 Fan", minutesAgo: 60 * 24 * 9, note: "Belt replaced" },
  { location: "Boiler Feed Pump 1", minutesAgo: 18, note: "Valve test" },
];
