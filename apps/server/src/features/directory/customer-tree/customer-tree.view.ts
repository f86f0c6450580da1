import type { TreeRows } from "./customer-tree.read-model.ts";

/** The answer's body: `{"data":[customers]}`. */
export function joinTree({ customers, facilities, locations, decommissionedNodes }: TreeRows): string {
  const locationsOf = new Map(locations.map(({ facilityId, json }) => [facilityId, json]));
  const retiredOf = new Map(decommissionedNodes.map(({ customerId, json }) => [customerId, json]));
  const facilitiesOf = new Map<number, string[]>();
  for (const { id, customerId, json } of facilities) {
    const list = facilitiesOf.get(customerId) ?? [];
    list.push(`${open(json)},"locations":[${locationsOf.get(id) ?? ""}]}`);
    facilitiesOf.set(customerId, list);
  }
  const whole = customers.map(
    ({ id, json }) =>
      `${open(json)},"facilities":[${facilitiesOf.get(id)?.join(",") ?? ""}],"decommissionedNodes":[${retiredOf.get(id) ?? ""}]}`,
  );
  return `{"data":[${whole.join(",")}]}`;
}

/** An object's JSON without its last brace, for more to follow. */
const open = (json: string) => json.slice(0, -1);
