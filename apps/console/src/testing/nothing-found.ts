import type { Found } from "@busbar/contract/system/find.ts";

/** What is found has fields that its kind does not have, too: they are empty. */
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
