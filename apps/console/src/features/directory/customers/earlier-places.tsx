import { wordsOfFound } from "@busbar/contract/system/find.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { Notice } from "#ui/notice.tsx";
import { useFound } from "./customers.queries.ts";

/** Where a node was once that is not there any more, when the filter is its serial number. */
export function EarlierPlaces({ filterText, list = "customers" }: { filterText: string; list?: "customers" | "nodes" }) {
  const found = useFound(filterText, serialNumberPattern.test(filterText)).data ?? [];
  const places = found.filter(({ kind, formerSerialNumber }) => kind === "location" && formerSerialNumber === filterText);
  return places.map((place) => {
    const { name, detail } = wordsOfFound(place);
    const present = new URLSearchParams({ filterText: place.serialNumber || place.locationName });
    const target = place.serialNumber === "" ? "customers" : list;
    return (
      <Notice key={place.id} kind="validation">
        Node {filterText} is not there any more: <a href={`#/${target}?${present.toString()}`}>{name}</a>, {detail}
      </Notice>
    );
  });
}
