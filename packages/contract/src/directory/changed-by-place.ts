/** What shows customers, facilities or what belongs to them, and is requested again when one of them changes. */
export const changedByPlace = [
  "/customers",
  "/customers/names",
  "/locations/{id}",
  "/locations/availablenodes",
  "/free-places",
  "/locations/movetargets",
  "/nodes",
  "/nodes/{serial}/details",
  "/nodes/{serial}/overview",
  "/facilities/{id}/overview",
  "/deployments",
  "/facilities/{id}/subscriptions",
  "/users/{id}/subscriptions",
] as const;
