/** What shows customers, facilities or what belongs to them, and is requested again when one of them changes. */
export const changedByPlace = [
  "/customers",
  "/customers/names",
  "/locations/{id}",
  "/locations/availablenodes",
  "/locations/movetargets",
  "/nodes",
  "/nodes/{serial}/details",
  "/nodes/{serial}/overview",
  "/facilities/{id}/overview",
] as const;
