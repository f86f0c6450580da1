/** A dialog that several screens open, also from each other. */
export type LinkedDialog =
  | { kind: "add-node" }
  | { kind: "node"; serial: string }
  | { kind: "place-node"; serial: string }
  | { kind: "node-config"; serial: string }
  | { kind: "credentials"; serial?: string }
  | { kind: "swap-node"; serial: string }
  | { kind: "location"; locationId: number }
  | { kind: "add-location"; customerId: number; facilityId: number; facilityName: string }
  | { kind: "delete-location"; locationId: number }
  | { kind: "move-location"; locationId: number }
  | { kind: "location-notes"; locationId: number };
