import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const foundKinds = ["node", "location", "facility", "customer", "user", "file", "service", "setting"] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Something that was found by parts of its words; fields that its kind does not have are empty. */
export const Found = z.object({
  kind: z.enum(foundKinds),
  /** A number, or the name of a file, a service or a setting. */
  id: z.string(),
  /** Of a location that was found by the serial number of an earlier node: its present one. */
  serialNumber: z.string(),
  formerSerialNumber: z.string(),
  locationName: z.string(),
  facilityName: z.string(),
  customerName: z.string(),
  customerCode: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});
export type Found = z.infer<typeof Found>;

/** The fields of what is found, before its kind fills its own. */
export const nothingFound: Omit<Found, "kind" | "id"> = {
  serialNumber: "",
  formerSerialNumber: "",
  locationName: "",
  facilityName: "",
  customerName: "",
  customerCode: "",
  username: "",
  firstName: "",
  lastName: "",
};

/** What it is called, and what else distinguishes it from others of that name. */
export function wordsOfFound(found: Found): { name: string; detail: string } {
  const {
    kind,
    id,
    serialNumber,
    formerSerialNumber,
    locationName,
    facilityName,
    customerName,
    customerCode,
    username,
    firstName,
    lastName,
  } = found;
  const list = (...parts: string[]) => parts.filter(Boolean).join(", ");
  switch (kind) {
    case "node":
      return { name: serialNumber, detail: list(locationName, facilityName, customerName) };
    case "location":
      return {
        name: locationName,
        detail: list(
          facilityName,
          customerName,
          serialNumber && `node ${serialNumber}`,
          formerSerialNumber && `earlier node ${formerSerialNumber}`,
        ),
      };
    case "facility":
      return { name: facilityName, detail: customerName };
    case "customer":
      return { name: customerName, detail: customerCode };
    case "user":
      return { name: username, detail: list(`${firstName} ${lastName}`.trim(), customerName) };
    case "file":
    case "service":
    case "setting":
      return { name: id, detail: "" };
  }
}

/** One letter is in everything. */
export const leastFindText = 2;
export const maxFindText = 64;
/** Of each kind, so that none hides another. */
export const mostOfAKind = 6;

export const find = endpoint("GET /api/find", {
  access: "staff",
  summary:
    "Nodes, locations, facilities, customers, users, files and, for system administrators, services and settings, by parts of words; the likeliest first",
  query: z.strictObject({
    text: z
      .string("text is missing")
      .check(
        z.regex(/^\P{Cc}{2,}$/u, `text is one line of at least ${leastFindText} characters`),
        z.maxLength(maxFindText, `text has at most ${maxFindText} characters`),
      ),
  }),
  data: z.array(Found),
});
