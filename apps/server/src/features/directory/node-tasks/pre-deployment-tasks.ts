import { guideLink, type TaskTemplate } from "./task-template.ts";

export const preDeploymentTasks: readonly TaskTemplate[] = [
  {
    group: 1,
    sequence: 1,
    name: "Create customer, facility and location records",
    turn: "office",
    evidence: ["place"],
    asksForNotes: "RMA",
    prerequisites: [],
    description: [
      "Look in Manage / Customers whether the customer, the facility and the location exist already. A second record under a slightly different name splits the history of the equipment.",
      "Create what is missing from the top down: customer, facility, location.",
    ],
    commonPre: [
      "Compare the spelling of the names with the signed order. Customers see these names in e-mails and reports.",
      "Set the time zone of the location to where the equipment is, not to where the office is. Midnights, daily averages and billing follow it.",
    ],
    byType: {
      "NL-NF": [
        "Create the facility with its site name and division.",
        "Name at least one facility manager. Notifications have no receiver until someone is named.",
        "Ask the plant electrician for the grounding type of the supply and enter it with the facility. Ground-fault alarms depend on it.",
      ],
      "NL-EF": [
        "Confirm with the customer that the new location belongs to the existing facility, and that the facility's managers are still right.",
      ],
      RMA: [
        "Confirm that the location is the one from which the failed node comes.",
        "Write the serial number of the failed node into the notes of this task. It is needed when the node is swapped and sent back.",
      ],
    },
  },
  {
    group: 1,
    sequence: 2,
    name: "Collect nameplate and one-line data",
    turn: "office",
    evidence: ["nameplate"],
    prerequisites: [101],
    description: [
      "Ask for a sharp photo of the equipment's nameplate, taken square on and readable to the last digit. Keep it with the location.",
      {
        heading: "Read these values off the photo and enter them with the location",
        items: [
          "voltage (np_voltage), line to line; for a DC machine the armature voltage",
          "full-load current (np_current)",
          "horse power (np_hp); 0 when it is not a motor",
          "service factor (np_sf)",
          "running speed (np_running_speed) and frequency (np_frequency)",
          "poles (np_poles), and rotor bars and stator slots where the maker gives them",
        ],
      },
    ],
    commonPre: ["A value that cannot be read stays open: ask the maker for the data sheet rather than guess."],
    byType: {
      "NL-NF": ["Ask for the one-line diagram of the supply, from the transformer to the equipment."],
      "NL-EF": ["Ask whether the one-line diagram on file still holds, and for an update where the new location is not on it."],
      RMA: ["Compare the photo with the values that are stored for the location. Replaced motors are often only noticed here."],
    },
    externalLink: guideLink("nameplates", "How to read a nameplate"),
  },
  {
    group: 1,
    sequence: 3,
    name: "Confirm network access and static address",
    turn: "office",
    prerequisites: [101],
    description: [
      {
        heading: "Agree with the customer's network people",
        items: [
          "the switch port and its VLAN, or the wireless network and its password",
          "outbound access to port 8883 (MQTT over TLS) and port 443 (HTTPS)",
          "an address by DHCP, or a static address with mask, gateway and name server",
        ],
      },
      {
        text: "No inbound port is ever needed: the node opens every connection itself.",
        externalLink: guideLink("network", "Letter for the customer's network department"),
      },
    ],
    byType: {
      "NL-NF": [
        "Find out who decides about the network and note name, e-mail and telephone number here.",
        "File the firewall request early: it is the step that delays most new facilities.",
      ],
      "NL-EF": ["Use the VLAN of the nodes that are already there and ask for one more port."],
      RMA: ["Reuse the port and the address of the failed node. Check that the port does not admit the old MAC address only."],
    },
  },
  {
    group: 1,
    sequence: 4,
    name: "Select hardware versions (node, VI module, CTs)",
    turn: "office",
    prerequisites: [102],
    description: [
      "Choose the node: Node 2.0 UPS where the supply is often interrupted, Node 2.0 PoE where the switch feeds it, else Node 2.0 PWS.",
      "Choose the VI module: AC for motors and mains, DC for DC machines and rectifiers.",
      "Choose the CT ratio so that full-load current is between 30 % and 80 % of the primary rating and the starting current does not saturate it.",
      "Above 600 V line to line plan potential transformers (PTs) and write their ratio into the notes.",
    ],
    byType: {
      "NL-NF": ["Survey the space for the CTs: conductor diameter, number of parallel conductors, door clearance."],
      "NL-EF": ["Choose the versions that the facility's other nodes have, unless the equipment needs something else."],
      RMA: ["Choose the versions of the failed node, so that CTs and wiring can stay."],
    },
    externalLink: guideLink("ct-selection", "CT and PT selection table"),
  },
  {
    group: 1,
    sequence: 5,
    name: "Bench-test node",
    turn: "workshop",
    prerequisites: [104],
    description: [
      "Power the node from the supply it will have in the field and wait until the status light is steady.",
      "Apply 120 V and 5 A from the calibrator to each phase in turn. Every reading must be within ±0.5 % of the calibrator.",
      "Leave the node running for 24 hours with the calibrator connected. It must not restart, and its clock must lock to GPS or NTP.",
    ],
    commonPost: ["Write the three worst deviations of the calibration check into the notes."],
    externalLink: guideLink("bench-test", "Bench test procedure"),
  },
  {
    group: 1,
    sequence: 6,
    name: "Register node (serial, type, container)",
    turn: "office",
    evidence: ["registered"],
    asksForNotes: "RMA",
    prerequisites: [105],
    description: [
      "Add the node under Manage / Nodes with the serial number on its label.",
      "Set the type: Node for a unit with its own connection, subNode for one that reports through another node, SEL or GERelay for a relay adapter.",
      "Set the container that the node is shipped in.",
    ],
    commonPre: ["The requested status is Pre-Deployment."],
    byType: { RMA: ["Write the number of the RMA ticket into the notes, with a link to it in the node's ticket link."] },
  },
  {
    group: 1,
    sequence: 7,
    name: "Assign node to location",
    turn: "office",
    evidence: ["place"],
    prerequisites: [101, 106],
    description: [
      "Open the location and choose the node's serial number.",
      "The node that measures the line is the primary node. The secondary node measures the field winding of a DC or synchronous motor.",
    ],
    byType: {
      RMA: [
        "Take the failed node off the location and choose the new one in its place: same location, so that its history continues.",
        "Check that the old serial number now shows as Unassigned.",
      ],
    },
  },
  {
    group: 1,
    sequence: 8,
    name: "Provision credentials and first cloud connection",
    turn: "workshop",
    evidence: ["connected"],
    prerequisites: [103, 106],
    description: [
      "Press Credentials above, issue them and load them into the node over the service port. They are shown only once; the sheet is for the installer.",
      "Connect the node to the internet on the bench and watch the live dashboard: its bolt icon turns green within a minute.",
      "Open the node: MAC address and IP address have been filled in by the node itself.",
    ],
    byType: { RMA: ["Revoke the credentials of the failed node, so that it can never connect as this location again."] },
    externalLink: guideLink("credentials", "Node credentials"),
  },
  {
    group: 1,
    sequence: 9,
    name: "Load configuration (equipment, name plate)",
    turn: "workshop",
    evidence: ["configuration"],
    prerequisites: [107, 108],
    description: [
      "Open Node Config and load the values from the node.",
      {
        heading: "Set the groups Equipment and Name Plate",
        items: [
          "eq_type: ac or dc; eq_type_sub only where the drawing says v1 or v2",
          "starter: the starting method on the drawing",
          "wc: 1 for a machine that works in cycles of minutes",
          "every np_ value from the nameplate of task A2",
        ],
      },
    ],
    byType: { RMA: ["Copy the values of the failed node where they agree with the nameplate."] },
    commonPost: ["Refresh the dialog and compare: what it shows is what the node holds."],
  },
  {
    group: 1,
    sequence: 10,
    name: "Set thresholds and active channels",
    turn: "workshop",
    prerequisites: [109],
    description: [
      "Start from the default thresholds. Change one only when the customer asked for it in writing.",
      "Switch off the channels that are not wired. An open channel that counts as active raises imbalance alarms for ever.",
      "Set v_noise and i_noise in the node: below them a reading counts as zero and the machine as not running.",
    ],
    byType: { RMA: ["Copy thresholds and active channels of the failed node."] },
  },
  {
    group: 1,
    sequence: 11,
    name: "Prepare installation package",
    turn: "workshop",
    prerequisites: [104],
    description: [
      {
        heading: "Pack and tick off",
        items: [
          "CTs with shorting blocks, one per phase, and their leads",
          "fuses and fuse holders for the voltage taps",
          "wiring drawing and mounting drawing, printed",
          "work permit form of the customer",
          "lock-out/tag-out plan for the supply of the cabinet",
        ],
      },
    ],
    byType: {
      "NL-NF": ["Ask for the date of the site induction: without it no one is let in."],
      RMA: ["Add the return label for the failed node."],
    },
  },
  {
    group: 1,
    sequence: 12,
    name: "Schedule outage and ship",
    turn: "office",
    prerequisites: [111, 103],
    description: [
      "Agree on the date and the length of the outage with the plant. Two hours are enough for one location.",
      "Write name and telephone number of the person on site into the notes.",
      "Ship the package so that it arrives three working days before, and write the tracking number into the notes.",
    ],
    byType: { "NL-NF": ["Book the safety orientation of the installers for the day before the outage, or earlier."] },
  },
];
