import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";

/** Who pays: an organisation and the codes of its customers. The test benches are no one's expense. */
export const demoOrganizations: readonly { name: string; customerCodes: readonly string[] }[] = [
  { name: "Alderwyn Timberworks", customerCodes: ["alderwyn"] },
  { name: "Dunwickel and Coppervane Holdings", customerCodes: ["dunwickel", "coppervane"] },
  { name: "Brinemoor Chemicals", customerCodes: ["brinemoor"] },
  { name: "Three River Valleys Finance Department", customerCodes: ["threerivervalleyswaterauthority"] },
];

/** The form begins with it. */
export const defaultOrganization = "Dunwickel and Coppervane Holdings";

/** Locations whose billing is out of the ordinary; dates count from the current year. */
export const billingOddities: readonly {
  location: string;
  billingStart?: readonly [year: number, day: string];
  billingEnd?: readonly [year: number, day: string];
  paidThru?: readonly [year: number, day: string];
}[] = [
  { location: "Refiner 1", paidThru: [1, "06-30"] },
  { location: "Winder Drive", paidThru: [1, "12-31"] },
  { location: "Pulper 2", billingEnd: [1, "03-31"] },
  { location: "Ball Mill 1", paidThru: [0, "06-30"] },
  { location: "Overland Conveyor", billingEnd: [0, "10-31"] },
  { location: "Folder Gluer Drive", billingStart: [1, "04-01"] },
  { location: "Kiln 2 Fan", paidThru: [0, "09-30"] },
];

export interface DemoSubscriber {
  username: string;
  firstName: string;
  lastName: string;
  customerCode: string;
  /** Of all facilities of the customer. */
  isAll?: boolean;
  subscriptions?: readonly (readonly [facility: string, frequency: SubscriptionFrequency])[];
}

/** Who gets internal notices. */
export const internalRecipients: readonly string[] = ["watch@busbar.example"];

/** Invented people of the customers who get messages about facilities; those that are users already only subscribe. */
export const demoSubscribers: readonly DemoSubscriber[] = [
  {
    username: "quillfeather",
    firstName: "Maren",
    lastName: "Quillfeather",
    customerCode: "alderwyn",
    subscriptions: [
      ["Fernhollow Sawmill", "Immediate"],
      ["Northlight Planer", "Daily"],
    ],
  },
  { username: "oakhollow", firstName: "Ivo", lastName: "Oakhollow", customerCode: "alderwyn", isAll: true },
  {
    username: "saltwick",
    firstName: "Petra",
    lastName: "Saltwick",
    customerCode: "brinemoor",
    subscriptions: [
      ["Saltmarsh Works", "Immediate"],
      ["Ochre Flats Plant", "Immediate"],
    ],
  },
  {
    username: "greyling",
    firstName: "Tomas",
    lastName: "Greyling",
    customerCode: "coppervane",
    subscriptions: [["Greyhorn Pit", "Weekly"]],
  },
  {
    username: "d.varga",
    firstName: "Dorka",
    lastName: "Vargassy",
    customerCode: "dunwickel",
    isAll: true,
    subscriptions: [["Sandalpur Packaging", "Weekly"]],
  },
  {
    username: "weirkeeper",
    firstName: "Anselm",
    lastName: "Weirkeeper",
    customerCode: "threerivervalleyswaterauthority",
    subscriptions: [["Upper Valley Regional Waste Water Reclamation and Storm Water Pumping Station No. 14", "Daily"]],
  },
  {
    username: "tidegate",
    firstName: "Rhoswen",
    lastName: "Tidegate",
    customerCode: "threerivervalleyswaterauthority",
    isAll: true,
  },
  {
    username: "a.thornbury",
    firstName: "Alys",
    lastName: "Thornbury",
    customerCode: "alderwyn",
    subscriptions: [
      ["Fernhollow Sawmill", "Daily"],
      ["Halcyon Bay Mill", "Immediate"],
    ],
  },
  {
    username: "pit.control",
    firstName: "Wynn",
    lastName: "Marlowe",
    customerCode: "coppervane",
    subscriptions: [
      ["Greyhorn Pit", "Immediate"],
      ["Greyhorn Concentrator", "Immediate"],
      ["Devgiri Smelter", "Daily"],
    ],
  },
  {
    username: "v.abernathy",
    firstName: "Verity",
    lastName: "Abernathy",
    customerCode: "threerivervalleyswaterauthority",
    subscriptions: [["Harrow Lake Intake", "Immediate"]],
  },
];
