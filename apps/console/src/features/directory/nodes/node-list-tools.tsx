import { Checkbox, Switch } from "@mantine/core";
import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";
import { searchedNames } from "#ui/column.ts";
import { SearchField } from "#ui/search-field.tsx";
import { Select } from "#ui/select.tsx";
import { nodeColumns } from "./node-list-columns.tsx";
import { placeOf, showOptions, type NodeListCriteria } from "./node-list-criteria.ts";
import { matchingPlaces, type PlaceChoices } from "./node-list-view.ts";

export interface NodeListToolsProps {
  criteria: NodeListCriteria;
  places: PlaceChoices[];
  onChange: (criteria: NodeListCriteria) => void;
}

// NOD-01
const searchLabel = searchedNames(nodeColumns).join("/");
const allFacilities = { value: "all", label: "All Facilities" };
const longestList = 300;

export function NodeListTools({ criteria, places, onChange }: NodeListToolsProps) {
  const toggle = (status: DeploymentStatus) => {
    const show = new Set(criteria.show);
    if (!show.delete(status)) show.add(status);
    onChange({ ...criteria, show });
  };
  const isKnown = criteria.place === "all" || places.some(({ items }) => items.some(({ value }) => value === criteria.place));
  return (
    <search className="list-tools node-list-tools no-print">
      <SearchField label={searchLabel} value={criteria.filterText} onChange={(filterText) => onChange({ ...criteria, filterText })} />
      <Select
        className="place-filter"
        aria-label="Customer or facility"
        searchable
        allowDeselect={false}
        limit={longestList}
        filter={({ options, search, limit }) => matchingPlaces(options as PlaceChoices[], search, limit)}
        nothingFoundMessage="No such customer or facility"
        data={[allFacilities, ...places, ...(isKnown ? [] : [{ value: criteria.place, label: "Customer or facility without nodes" }])]}
        value={criteria.place}
        onChange={(place) => onChange({ ...criteria, place: placeOf(place) })}
      />
      <fieldset className="list-show">
        <legend className="visually-hidden">Show</legend>
        {showOptions.map(({ status }) => (
          <Checkbox key={status} label={status} checked={criteria.show.has(status)} onChange={() => toggle(status)} />
        ))}
      </fieldset>
      <Switch
        size="xs"

        label="All columns"
        checked={criteria.columns === "all"}
        onChange={(event) => onChange({ ...criteria, columns: event.currentTarget.checked ? "all" : "" })}
      />
    </search>
  );
}
