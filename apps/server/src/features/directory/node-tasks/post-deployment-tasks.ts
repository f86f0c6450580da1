import { guideLink } from "./task-template.ts";
import type { TaskTemplate } from "./task-template.ts";

export const postDeploymentTasks: readonly TaskTemplate[] = [
  {
    group: 2,
    sequence: 1,
    name: "Install and photograph wiring",
    prerequisites: [112, 110],
    description: [
      "Lock out and tag out the supply, and prove that it is dead before you touch anything.",
      "Fuse every voltage tap at its source, not at the node.",
      "Mount the CTs with their arrow towards the load and keep every secondary shorted until it is connected.",
      {
        heading: "Photograph, readable",
        items: [
          "the whole cabinet",
          "each CT with its arrow and its phase",
          "the voltage taps with their fuses",
          "the terminals of the node",
        ],
      },
    ],
    byType: { RMA: ["Remove the failed node, pack it in the box of the new one and stick the return label on it."] },
    externalLink: guideLink("installation", "Installation guide"),
  },
  {
    group: 2,
    sequence: 2,
    name: "Verify phase rotation and CT polarity",
    prerequisites: [201],
    description: [
      "Open the live metering of the node while the machine runs under load.",
      "The power of each phase, P1 to P3, is above zero. A negative one means that its CT is turned round.",
      "The phasor diagram turns A, B, C and each current lags its own voltage. A current near 120° away means that two CTs are exchanged.",
    ],
    externalLink: guideLink("phasors", "What a phasor diagram shows"),
  },
  {
    group: 2,
    sequence: 3,
    name: "Verify scalar stream and clock lock",
    prerequisites: [202],
    description: [
      "Watch the live dashboard for 15 minutes: the count of skipped streams does not rise.",
      "The node's clock is locked to GPS. Where no satellite can be received, NTP is enough: say so in the notes.",
    ],
  },
  {
    group: 2,
    sequence: 4,
    name: "Verify 1-second and 15-minute files",
    prerequisites: [203],
    description: [
      "Open the files of the node and wait for two 15-minute files. Both have the status Extracted.",
      "Switch the interval to 1-second files: two of them have the status Extracted as well.",
      "A file with the status Failed says why. Fix the cause before you go on.",
    ],
  },
  {
    group: 2,
    sequence: 5,
    name: "Verify metering against panel meter",
    prerequisites: [202],
    description: [
      "Read the panel meter, or a clamp meter of known accuracy, and the live metering at the same moment under steady load.",
      { heading: "Limits", items: ["voltage within ±1 % on each phase", "current within ±2 % on each phase"] },
      "Outside of them check the CT ratio first, then the PT ratio, then the panel meter.",
    ],
    commonPost: ["Write both sets of readings into the notes."],
  },
  {
    group: 2,
    sequence: 6,
    name: "Capture a start event",
    prerequisites: [203],
    description: [
      "Ask the operator to stop and start the machine once.",
      "The event shows the inrush: five to seven times full-load current for a start across the line, three to four times behind a soft starter, none behind a drive.",
      "The start is within the seconds that start_seconds captures. Lengthen them where it does not.",
    ],
    byType: { RMA: ["Compare the start with one of the failed node: same height and same length within 10 %."] },
  },
  {
    group: 2,
    sequence: 7,
    name: "Validate nameplate and imbalance baseline",
    prerequisites: [205],
    description: [
      "Compare the measured voltage, current and speed at steady load with the nameplate values.",
      "Note the imbalance of voltage and current over one hour of running: it is the baseline for later alarms.",
      "Set Nameplate valid on the node.",
    ],
  },
  {
    group: 2,
    sequence: 8,
    name: "Enable notifications and fault-library flags",
    prerequisites: [204, 207],
    description: [
      "The facility has at least one manager, and every manager is subscribed to it.",
      "Switch on the fault-library flags that the equipment calls for, and switch off those that its starter or its drive makes meaningless.",
      "Take away the pause of the node's notifications.",
    ],
    byType: {
      "NL-NF": ["Train the facility's users: reading an alarm, pausing notifications, asking for help."],
      RMA: ["Restore the flags as they were before the node failed."],
    },
    externalLink: guideLink("fault-library", "Fault library"),
  },
  {
    group: 2,
    sequence: 9,
    name: "Set status Deployed and billing dates",
    prerequisites: [208],
    description: [
      "Request the status Deployed. It takes effect at the next midnight of the location's time zone.",
      "Check on the next day that the status is in effect.",
    ],
    byType: {
      "NL-NF": ["Set the billing start date of the location to the day of the deployment, or to the date in the contract."],
      "NL-EF": ["Set the billing start date of the location to the day of the deployment, or to the date in the contract."],
      RMA: ["Keep the billing dates of the location: a replaced node starts no new billing."],
    },
  },
  {
    group: 2,
    sequence: 10,
    name: "Customer hand-over and close",
    prerequisites: [209],
    description: [
      "Send the installation report with the photos of task B1 and the readings of task B5 to the facility's managers.",
      "Ask for a confirmation that they can sign in and see the equipment.",
    ],
    byType: { RMA: ["Decommission the failed node once it has arrived, and close the RMA ticket."] },
    externalLink: guideLink("hand-over", "Hand-over checklist"),
  },
];
