import type { Timezone } from "@busbar/contract/values/option-lists.ts";
import type { MachineName } from "./machines.ts";

export interface DemoCustomer {
  code: string;
  name: string;
  type: "Revenue" | "Internal";
  emailDomains: string[];
}

export interface DemoFacility {
  customerCode: string;
  name: string;
  siteName: string;
  timezone: Timezone;
  groundingType: string;
  /** `latitude,longitude`. */
  position: string;
  /** Locations with their machines, in the order of their serial numbers. */
  locations: readonly (readonly [name: string, machine: MachineName])[];
}

// All names are invented. One customer, facility and location each have names as long as they get.
export const demoCustomers: readonly DemoCustomer[] = [
  { code: "alderwyn", name: "Alderwyn Timberworks", type: "Revenue", emailDomains: ["alderwyn.example"] },
  { code: "brinemoor", name: "Brinemoor Chemicals", type: "Revenue", emailDomains: ["brinemoor.example"] },
  { code: "coppervane", name: "Coppervane Mining", type: "Revenue", emailDomains: ["coppervane.example"] },
  { code: "dunwickel", name: "Dunwickel Paperboard", type: "Revenue", emailDomains: ["dunwickel.example", "board.dunwickel.example"] },
  {
    code: "threerivervalleyswaterauthority",
    name: "Three River Valleys Drinking Water, Storm Water and Waste Water Treatment Authority",
    type: "Revenue",
    emailDomains: ["threerivers.example"],
  },
  { code: "benches", name: "Busbar Test Benches", type: "Internal", emailDomains: ["busbar.example"] },
];

export const demoFacilities: readonly DemoFacility[] = [
  {
    customerCode: "alderwyn",
    name: "Fernhollow Sawmill",
    siteName: "Fernhollow",
    timezone: "America/Los_Angeles",
    groundingType: "Solid Ground",
    position: "44.1,-122.9",
    locations: [
      ["Debarker Infeed", "conveyor"],
      ["Chipper 1", "chipper"],
      ["Headrig Drive", "dcDrive"],
      ["Kiln 2 Fan", "fan"],
    ],
  },
  {
    customerCode: "alderwyn",
    name: "Northlight Planer",
    siteName: "Northlight",
    timezone: "America/Anchorage",
    groundingType: "Solid Ground",
    position: "61.4,-149.6",
    locations: [
      ["Planer Main", "main"],
      ["Shavings Blower", "blower"],
      ["Compressor 1", "compressor"],
    ],
  },
  {
    customerCode: "alderwyn",
    name: "Halcyon Bay Mill",
    siteName: "Halcyon Bay",
    timezone: "Pacific/Honolulu",
    groundingType: "Ungrounded",
    position: "20.8,-156.4",
    locations: [
      ["Cane Crusher 1", "crusher"],
      ["Boiler Feed Pump 1", "feedPump"],
    ],
  },
  {
    customerCode: "brinemoor",
    name: "Saltmarsh Works",
    siteName: "Saltmarsh",
    timezone: "America/Chicago",
    groundingType: "High Impedance Ground",
    position: "29.6,-94.8",
    locations: [
      ["Cell Room Rectifier 1", "rectifier"],
      ["Cell Room Rectifier 2", "rectifier"],
      ["Chlorine Compressor", "synchronous"],
      ["Brine Pump A", "feedPump"],
      ["Brine Pump B", "feedPump"],
    ],
  },
  {
    customerCode: "brinemoor",
    name: "Ochre Flats Plant",
    siteName: "Ochre Flats",
    timezone: "America/Phoenix",
    groundingType: "Solid Ground",
    position: "33.1,-111.9",
    locations: [
      ["Cooling Tower Fan 1", "fan"],
      ["Cooling Tower Fan 2", "fan"],
      ["Acid Transfer Pump", "transferPump"],
    ],
  },
  {
    customerCode: "coppervane",
    name: "Greyhorn Pit",
    siteName: "Greyhorn",
    timezone: "America/Denver",
    groundingType: "High Impedance Ground",
    position: "40.3,-110.2",
    locations: [
      ["Primary Crusher", "crusher"],
      ["Ball Mill 1", "synchronous"],
      ["Overland Conveyor", "conveyor"],
      ["Tailings Pump 1", "feedPump"],
    ],
  },
  {
    customerCode: "coppervane",
    name: "Greyhorn Concentrator",
    siteName: "Greyhorn",
    timezone: "America/Denver",
    groundingType: "High Impedance Ground",
    position: "40.3,-110.3",
    locations: [
      ["Flotation Blower 1", "blower"],
      ["Flotation Blower 2", "blower"],
      ["Thickener Drive", "transferPump"],
    ],
  },
  {
    customerCode: "coppervane",
    name: "Devgiri Smelter",
    siteName: "Devgiri",
    timezone: "Asia/Kolkata",
    groundingType: "Solid Ground",
    position: "22.8,72.3",
    locations: [
      ["Furnace Fan 1", "fan"],
      ["Slag Conveyor", "conveyor"],
      ["Utility Main", "main"],
    ],
  },
  {
    customerCode: "dunwickel",
    name: "Millbrook Board Machine",
    siteName: "Millbrook",
    timezone: "America/New_York",
    groundingType: "Solid Ground",
    position: "43.9,-75.1",
    locations: [
      ["Refiner 1", "synchronous"],
      ["Winder Drive", "dcDrive"],
      ["Vacuum Pump 3", "compressor"],
      ["Pulper 2", "crusher"],
      ["Stock Pump 7", "feedPump"],
    ],
  },
  {
    customerCode: "dunwickel",
    name: "Larkspur Corrugator",
    siteName: "Larkspur",
    timezone: "America/Chicago",
    groundingType: "Solid Ground",
    position: "41.2,-93.4",
    locations: [
      ["Corrugator Main", "main"],
      ["Die Press 1", "press"],
      ["Die Press 2", "press"],
    ],
  },
  {
    customerCode: "dunwickel",
    name: "Sandalpur Packaging",
    siteName: "Sandalpur",
    timezone: "Asia/Kolkata",
    groundingType: "Ungrounded",
    position: "17.9,78.9",
    locations: [
      ["Folder Gluer Drive", "press"],
      ["Baler", "compressor"],
    ],
  },
  {
    customerCode: "threerivervalleyswaterauthority",
    name: "Upper Valley Regional Waste Water Reclamation and Storm Water Pumping Station No. 14",
    siteName: "Upper Valley",
    timezone: "America/New_York",
    groundingType: "Solid Ground",
    position: "38.4,-81.2",
    locations: [
      ["Raw Sewage Lift Pump 3 at the North Interceptor, Lower Gallery, behind Screen 12", "feedPump"],
      ["Aeration Blower 1", "blower"],
      ["Aeration Blower 2", "blower"],
      ["Sludge Press", "press"],
    ],
  },
  {
    customerCode: "threerivervalleyswaterauthority",
    name: "Harrow Lake Intake",
    siteName: "Harrow Lake",
    timezone: "America/Chicago",
    groundingType: "Solid Ground",
    position: "46.8,-91.9",
    locations: [
      ["Intake Pump 1", "feedPump"],
      ["Intake Pump 2", "feedPump"],
      ["Backwash Pump", "transferPump"],
    ],
  },
  {
    customerCode: "benches",
    name: "Bench Hall",
    siteName: "Bench Hall",
    timezone: "America/Los_Angeles",
    groundingType: "Solid Ground",
    position: "45.5,-122.6",
    locations: [
      ["Bench 1", "transferPump"],
      ["Bench 2", "transferPump"],
      ["Bench 3", "press"],
    ],
  },
];
